import { type Script, scene } from '../script.ts'
import { away, home, type Story } from '../story.ts'

export const waterPolo: Script = {
  cast: {
    competition: ['Adriatic Water Polo League', 'Adriatic League'],
    round: 'Round 17',
    date: '2026-03-21T18:00:00.000Z',
    venue: {
      name: 'Bazen Uvala Sunca',
      gfxName: 'Uvala Sunca',
      city: 'Sunčana Luka',
      country: 'Croatia',
      timezone: 'Europe/Zagreb',
      courts: ['Pool'],
    },
    pool: 'men',
    from: 46,
    clubs: {
      home: {
        name: 'VK Sunčana Luka',
        gfxName: 'Sunčana Luka',
        abbreviation: 'SUN',
        colours: ['#0a6ebd', '#ffffff', '#ffffff', '#0a6ebd'],
        coach: 'Zoran Perković',
      },
      away: {
        name: 'Circolo Nuoto Marina Grande',
        gfxName: 'Marina Grande',
        gfxFullName: 'Circolo Nuoto Marina Grande',
        abbreviation: 'CNMG',
        colours: ['#17181c', '#ffffff', '#ffd200', '#17181c'],
        coach: 'Giancarlo Sorrentino',
      },
    },
    positions:
      'GK:goalkeeper LW:driver CB:centreBack LF:driver RW:driver CF:centreForward P:driver | GK:goalkeeper D:driver D:driver CB:centreBack CF:centreForward D:driver',
    captain: 3,
    officials: ['referee', 'referee', 'timekeeper'],
    by: { goal: [2, 4, 5, 6, 7], save: [1], exclusion: [3, 6, 11] },
  },
  scenes: {
    live: scene('live', 'First quarter', 'A goal each'),
    goal: scene('scored', 'Goal just scored', 'With an extra player'),
    exclusion: scene('discipline', 'Exclusion', 'Eighteen seconds with one player less'),
    'half-time': scene('break', 'Half time', 'Level at the change of ends'),
    late: scene('late', 'Last attack', 'Level with sixteen seconds to play'),
    'full-time': scene('finished', 'Full time', 'Decided by a penalty'),
    'shoot-out': scene('decider', 'Shoot-out', 'From five metres'),
    suspended: scene('stopped', 'Suspended', 'The clock has failed'),
  },
  tell(open) {
    const match = open()
    match.start()
    match.at(1, 52)
    match.fact('goal', home(6))
    match.at(3, 8)
    match.fact('goal', away(4))
    match.at(4, 40)
    match.scene('live')
    match.fact('clockStop')
    match.scene('suspended', 'suspended')
    match.wait(300)
    match.fact('clockStart')
    match.at(5, 11)
    match.fact('exclusion', away(3))
    match.fact('clockStop')
    match.wait(5)
    match.scene('exclusion')
    match.fact('clockStart')
    match.at(5, 24)
    match.fact('goal', home(2), { with: 4 })
    match.wait(4)
    match.scene('goal')
    match.at(8)
    match.endPeriod()
    quarter(match, [2, 3])
    match.scene('half-time')
    quarter(match, [3, 3])
    match.period()
    match.spread(7, { home: { goal: 2, save: 3, exclusion: 1 }, away: { goal: 2, save: 2, exclusion: 2 } })
    match.at(7, 44)
    match.scene('late')
    match.at(7, 54)
    match.fact('penaltyGoal', away(7))
    match.at(8)
    match.endPeriod()
    match.finish()
    match.scene('full-time')

    const tied = open({ shootout: true })
    tied.start()
    tied.spread(8, { home: { goal: 2 }, away: { goal: 2 } })
    tied.endPeriod()
    for (const _ of [2, 3, 4]) quarter(tied, [2, 2])
    tied.wait(150)
    tied.fact('shootoutStart')
    for (const [place, one, other] of [
      [4, 'penaltyGoal', 'penaltyGoal'],
      [6, 'penaltyMissed', 'penaltyGoal'],
      [2, 'penaltyGoal', 'penaltyMissed'],
    ] as const) {
      tied.wait(25)
      tied.fact(one, home(place))
      tied.wait(25)
      tied.fact(other, away(place))
    }
    tied.scene('shoot-out')
  },
}

function quarter(match: Story, [ours, theirs]: readonly [number, number]) {
  match.period()
  match.spread(8, { home: { goal: ours, save: 2, shot: 3 }, away: { goal: theirs, save: 2, exclusion: 2 } })
  match.endPeriod()
}
