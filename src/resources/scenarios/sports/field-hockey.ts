import { type Script, scene } from '../script.ts'
import { away, home } from '../story.ts'

export const fieldHockey: Script = {
  cast: {
    competition: ['Euro Hockey Club Shield', 'Club Shield'],
    round: 'Pool B',
    date: '2026-04-03T12:00:00.000Z',
    venue: {
      name: 'Hockeypark De Zandloper',
      gfxName: 'De Zandloper',
      city: 'Oosterveen',
      country: 'Netherlands',
      timezone: 'Europe/Amsterdam',
      courts: ['Pitch 1'],
    },
    pool: 'women',
    from: 20,
    clubs: {
      home: {
        name: 'MHC Oosterveen',
        gfxName: 'Oosterveen',
        abbreviation: 'OOS',
        colours: ['#f05a28', '#1b0f09', '#ffffff', '#f05a28'],
        coach: 'Marloes Dijkgraaf',
      },
      away: {
        name: 'Club an der Elbschleife',
        gfxName: 'Elbschleife',
        gfxFullName: 'Club an der Elbschleife 1897',
        abbreviation: 'CAE',
        colours: ['#10406b', '#ffffff', '#e7eef5', '#10406b'],
        coach: 'Annkathrin Voß',
      },
    },
    positions:
      'GK:goalkeeper D:defender D:defender D:defender D:defender M:midfielder M:midfielder M:midfielder F:forward F:forward F:forward | ' +
      'GK:goalkeeper D:defender M:midfielder M:midfielder M:midfielder F:forward F:forward',
    captain: 7,
    officials: ['umpire', 'umpire', 'videoReferee'],
    by: { save: [1], shot: [8, 9, 10, 11], circleEntry: [7, 8, 9], penaltyCorner: [5, 9] },
  },
  scenes: {
    live: scene('live', 'First quarter', 'Goalless, the first penalty corner'),
    goal: scene('scored', 'Goal just scored', 'From a penalty corner'),
    'green-card': scene('discipline', 'Green card', 'Two minutes off'),
    'yellow-card': scene('discipline', 'Yellow card', 'Five minutes off'),
    'half-time': scene('break', 'Half time', 'One goal between the sides'),
    late: scene('late', 'Last minute', 'An equaliser without a goalkeeper'),
    'full-time': scene('finished', 'Full time', 'A draw'),
    'shoot-out': scene('decider', 'Shoot-out', 'One against one, eight seconds each'),
    suspended: scene('stopped', 'Suspended', 'Hail'),
  },
  tell(open) {
    const match = open()
    match.start()
    match.spread(8, { home: { circleEntry: 3, shot: 1 }, away: { circleEntry: 2, save: 1 } })
    match.fact('penaltyCorner', home(5))
    match.at(8, 17)
    match.scene('live')
    match.fact('clockStop')
    match.scene('suspended', 'suspended')
    match.wait(600)
    match.fact('clockStart')
    match.at(9, 2)
    match.fact('penaltyCornerGoal', home(5), { with: 9 })
    match.wait(7)
    match.scene('goal')
    match.at(15)
    match.endPeriod()
    match.period()
    match.at(4, 30)
    match.fact('greenCard', away(3))
    match.wait(9)
    match.scene('green-card')
    match.spread(14, { home: { circleEntry: 5, shot: 3 }, away: { circleEntry: 3, save: 2, penaltyCorner: 1 } })
    match.fact('fieldGoal', away(11), { with: 8 })
    match.at(14, 41)
    match.fact('fieldGoal', home(10))
    match.at(15)
    match.endPeriod()
    match.scene('half-time')
    match.period()
    match.at(8, 50)
    match.fact('yellowCard', home(4))
    match.wait(11)
    match.scene('yellow-card')
    match.at(12, 3)
    match.fact('penaltyStrokeGoal', away(9))
    match.at(15)
    match.endPeriod()
    match.period()
    match.spread(9, { home: { circleEntry: 4, penaltyCorner: 2 }, away: { save: 3, circleEntry: 2 } })
    match.fact('fieldGoal', home(16))
    match.at(14, 12)
    match.fact('fieldGoal', away(10), { with: 7 })
    match.wait(8)
    match.scene('late')
    match.at(15)
    match.endPeriod()
    match.finish()
    match.scene('full-time')

    const play = open({ shootout: true })
    play.start()
    for (let number = 1; number <= 4; number++) {
      if (number > 1) play.period()
      play.spread(
        15,
        number === 2
          ? { home: { goal: 1, shot: 3 }, away: { goal: 1, save: 2 } }
          : { home: { shot: 2 }, away: { shot: 2 } },
      )
      play.endPeriod()
    }
    play.wait(180)
    play.fact('shootoutStart')
    for (const [place, [one, other]] of [
      [9, ['goal', 'goal']],
      [10, ['shootoutMissed', 'goal']],
      [11, ['goal', 'shootoutMissed']],
      [8, ['goal', 'goal']],
    ] as const) {
      play.wait(30)
      play.fact(one, home(place))
      play.wait(30)
      play.fact(other, away(place))
    }
    play.scene('shoot-out')
  },
}
