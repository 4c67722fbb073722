import { type Script, scene } from '../script.ts'
import { away, home } from '../story.ts'

export const futsal: Script = {
  cast: {
    competition: ['Liga Metropolitana de Futsal', 'Liga Metro'],
    round: 'Matchday 14',
    date: '2026-02-27T20:15:00.000Z',
    venue: {
      name: 'Pavilhão da Ribeira',
      city: 'Vila Cascalho',
      country: 'Portugal',
      timezone: 'Europe/Lisbon',
      courts: ['Centre court'],
    },
    pool: 'women',
    from: 4,
    clubs: {
      home: {
        name: 'Águias da Ribeira',
        gfxName: 'Águias Ribeira',
        abbreviation: 'ÁGU',
        colours: ['#0b6b4f', '#ffffff', '#ffffff', '#0b6b4f'],
        coach: 'Helena Vasconcelos',
      },
      away: {
        name: 'Sportclub Kupferhafen',
        gfxName: 'Kupferhafen',
        abbreviation: 'KUP',
        colours: ['#c4572b', '#ffffff', '#1d2430', '#f4c9a8'],
        coach: 'Britta Achterberg',
      },
    },
    positions:
      'GK:goalkeeper FX:defender WL:winger WR:winger PV:pivot | GK:goalkeeper FX:defender WL:winger WR:winger PV:pivot UN:universal UN:universal',
    numbers: { home: '1 4 7 10 9 12 3 8 11 14 17 20', away: '16 5 07 11 19 1 2 6 8 13 21 77' },
    captain: 2,
    officials: ['referee', 'assistantReferee', 'timekeeper'],
    by: { save: [1], shot: [3, 4, 5, 9], foul: [2, 3, 4], accumulatedFoul: [2, 3, 4] },
  },
  scenes: {
    live: scene('live', 'First half', 'A goal each, four fouls of the home side'),
    goal: scene('scored', 'Goal just scored', 'The visitors lead for the first time'),
    'sixth-foul': scene('discipline', 'Sixth foul', 'From now on every foul of the home side is a ten-metre penalty'),
    'half-time': scene('break', 'Half time', 'The visitors lead at the break'),
    late: scene('late', 'Flying goalkeeper', 'An equaliser with eleven seconds to play'),
    'full-time': scene('finished', 'Full time', 'A draw with eight goals'),
    'extra-time': scene('decider', 'Extra time', 'A play-off in extra time'),
    'shoot-out': scene('decider', 'Shoot-out', 'The play-off is decided from six metres'),
    suspended: scene('stopped', 'Suspended', 'A wet floor has stopped play'),
  },
  tell(open) {
    const match = open()
    match.start()
    match.spread(6, { home: { shot: 3, foul: 2 }, away: { shot: 2, save: 2 } })
    match.fact('goal', home(5), { with: 3 })
    match.spread(11, { home: { foul: 2, shot: 1 }, away: { foul: 1, shot: 3 } })
    match.fact('goal', away(4))
    match.at(12, 34)
    match.scene('live')
    match.fact('clockStop')
    match.scene('suspended', 'suspended')
    match.wait(180)
    match.fact('clockStart')
    match.at(16, 20)
    match.fact('goal', away(5), { with: 4 })
    match.wait(6)
    match.scene('goal')
    match.spread(20, { home: { shot: 2, corner: 1 }, away: { foul: 2, save: 1 } })
    match.endPeriod()
    match.scene('half-time')
    match.period()
    match.spread(9, {
      home: { goal: 2, accumulatedFoul: 5, shot: 3 },
      away: { goal: 1, foul: 2, shot: 2 },
    })
    match.at(11, 48)
    match.fact('accumulatedFoul', home(2))
    match.fact('clockStop')
    match.wait(15)
    match.scene('sixth-foul')
    match.wait(20)
    match.fact('clockStart')
    match.fact('secondPenaltyGoal', away(3))
    match.at(19, 49)
    match.fact('goal', home(10), { with: 5 })
    match.scene('late')
    match.at(20)
    match.endPeriod()
    match.finish()
    match.scene('full-time')

    const playOff = open({ extraTime: true, shootout: true })
    playOff.start()
    playOff.spread(20, { home: { goal: 1, shot: 4, foul: 2 }, away: { goal: 1, shot: 3, foul: 3 } })
    playOff.endPeriod()
    playOff.period()
    playOff.spread(20, { home: { goal: 1, shot: 4, foul: 3 }, away: { goal: 1, shot: 5, foul: 4 } })
    playOff.endPeriod()
    playOff.period()
    playOff.at(3, 10)
    playOff.fact('goal', home(4))
    playOff.at(3, 41)
    playOff.scene('extra-time')
    playOff.at(5)
    playOff.endPeriod()
    playOff.period()
    playOff.at(4, 2)
    playOff.fact('goal', away(5))
    playOff.at(5)
    playOff.endPeriod()
    playOff.wait(120)
    playOff.fact('shootoutStart')
    for (const [place, type] of [
      [3, 'penaltyGoal'],
      [4, 'penaltyMissed'],
      [5, 'penaltyGoal'],
    ] as const) {
      playOff.wait(30)
      playOff.fact('penaltyGoal', home(place))
      playOff.wait(30)
      playOff.fact(type, away(place))
    }
    playOff.scene('shoot-out')
  },
}
