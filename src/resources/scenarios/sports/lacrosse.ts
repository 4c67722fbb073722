import { type Script, scene } from '../script.ts'
import { away, home } from '../story.ts'

export const lacrosse: Script = {
  cast: {
    competition: ['Great Lakes Lacrosse Association', 'Great Lakes'],
    round: 'Championship game',
    date: '2026-06-27T19:00:00.000Z',
    venue: { name: 'Longhouse Field', city: 'Cedar Narrows', country: 'Canada', timezone: 'America/Toronto' },
    pool: 'men',
    from: 6,
    clubs: {
      home: {
        name: 'Cedar Narrows Thunder',
        gfxName: 'Cedar Narrows',
        gfxFullName: 'Cedar Narrows Thunder',
        abbreviation: 'CNT',
        colours: ['#4b2a86', '#ffffff', '#f4c430', '#24123f'],
        coach: 'Tehya Longboat',
      },
      away: {
        name: 'Chesapeake Tides',
        gfxName: 'Chesapeake',
        abbreviation: 'CHE',
        colours: ['#117c8f', '#ffffff', '#f7f7f2', '#117c8f'],
        coach: 'Brendan O’Malley',
      },
    },
    positions:
      'G:goalie D:defence D:defence D:defence LSM:midfield M:midfield M:midfield A:attack A:attack A:attack | ' +
      'FO:midfield M:midfield M:midfield SSDM:midfield A:attack D:defence G:goalie A:attack',
    numbers: {
      home: '00 14 33 9 27 22 10 1 4 42 7 18 15 30 11 55 31 6',
      away: '1 2 45 17 28 12 8 3 24 19 99 20 16 32 5 40 35 13',
    },
    captain: 7,
    officials: ['referee', 'umpire', 'umpire'],
    by: { goal: [6, 7, 8, 9, 10], save: [1], faceoff: [11], groundBall: [2, 5, 6], shot: [6, 8, 9, 10] },
  },
  scenes: {
    live: scene('live', 'First quarter', 'Two goals each'),
    goal: scene('scored', 'Goal just scored', 'From behind the goal'),
    penalty: scene('discipline', 'Penalty', 'One minute for slashing'),
    'half-time': scene('break', 'Half time', 'One goal between the sides'),
    late: scene('late', 'Last minute', 'An equaliser with nine seconds to play'),
    'full-time': scene('finished', 'Final score', 'A one-goal game'),
    overtime: scene('decider', 'Overtime', 'The next goal wins'),
    suspended: scene('stopped', 'Suspended', 'Lightning'),
  },
  tell(open) {
    const match = open()
    match.start()
    match.spread(9, { home: { goal: 2, faceoff: 3, shot: 3 }, away: { goal: 2, save: 2, groundBall: 4 } })
    match.at(9, 14)
    match.scene('live')
    match.fact('clockStop')
    match.scene('suspended', 'suspended')
    match.wait(1_200)
    match.fact('clockStart')
    match.at(12, 1)
    match.fact('goal', away(9), { with: 8 })
    match.wait(5)
    match.scene('goal')
    match.at(15)
    match.endPeriod()
    match.period()
    match.spread(14, { home: { goal: 3, save: 3, shot: 5 }, away: { goal: 1, save: 2, faceoff: 3 } })
    match.at(15)
    match.endPeriod()
    match.scene('half-time')
    match.period()
    match.at(2, 10)
    match.fact('penalty', home(3), { details: { kind: 'slashing', seconds: 60 } })
    match.fact('clockStop')
    match.wait(14)
    match.scene('penalty')
    match.fact('clockStart')
    match.spread(15, { home: { goal: 2, groundBall: 6, save: 2 }, away: { goal: 3, shot: 6, save: 3 } })
    match.endPeriod()
    match.period()
    match.spread(13, { home: { goal: 2, shot: 4 }, away: { goal: 1, save: 3, turnover: 2 } })
    match.at(14, 51)
    match.fact('goal', away(10), { with: 9 })
    match.scene('late')
    match.at(14, 58)
    match.fact('goal', home(8))
    match.at(15)
    match.endPeriod()
    match.finish()
    match.scene('full-time')

    const tied = open({ extraTime: true, goldenGoal: true })
    tied.start()
    for (let number = 1; number <= 4; number++) {
      if (number > 1) tied.period()
      tied.spread(15, { home: { goal: 3, save: 3 }, away: { goal: 3, save: 2 } })
      tied.endPeriod()
    }
    tied.period()
    tied.at(1, 33)
    tied.scene('overtime')
  },
}
