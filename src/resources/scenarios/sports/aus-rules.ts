import { type Script, scene } from '../script.ts'
import { away, home } from '../story.ts'

export const ausRules: Script = {
  cast: {
    competition: ['Great Southern Football League', 'Great Southern'],
    round: 'Preliminary final',
    date: '2026-09-19T04:20:00.000Z',
    venue: { name: 'Lighthouse Oval', city: 'Cape Marlow', country: 'Australia', timezone: 'Australia/Adelaide' },
    pool: 'men',
    from: 36,
    clubs: {
      home: {
        name: 'Cape Marlow Gannets',
        gfxName: 'Cape Marlow',
        gfxFullName: 'Cape Marlow Gannets',
        abbreviation: 'CMG',
        colours: ['#141b3c', '#ffffff', '#e03a3e', '#ffffff'],
        coach: 'Brodie Halloran',
      },
      away: {
        name: 'Wimmera Rangers',
        gfxName: 'Wimmera',
        gfxFullName: 'Wimmera Rangers',
        abbreviation: 'WIM',
        colours: ['#f2a900', '#20140a', '#4b2a12', '#f2a900'],
        coach: 'Nathan Djalu',
      },
    },
    positions:
      'FB:defender BP:defender BP:defender CHB:defender HB:defender HB:defender C:midfielder W:midfielder W:midfielder CHF:forward HF:forward HF:forward FF:forward FP:forward FP:forward R:ruck RR:midfielder R:midfielder | ' +
      'IC:interchange IC:interchange IC:interchange IC:interchange SUB:substitute',
    numbers: {
      home: '12 3 33 27 18 9 5 11 24 23 7 30 16 2 41 38 14 8 6 20 28 35 44',
      away: '31 4 17 25 10 36 1 13 22 19 6 29 9 15 40 34 8 3 26 21 32 45 37',
    },
    captain: 7,
    officials: ['umpire', 'umpire', 'umpire', 'umpire'],
    by: {
      goal: [10, 11, 12, 13, 14, 15],
      behind: [10, 12, 13, 14, 17],
      hitOut: [16],
      inside50: [7, 8, 9],
      tackle: [7, 17, 18],
    },
  },
  scenes: {
    live: scene('live', 'Second quarter', 'A low-scoring first half in the wind'),
    goal: scene('scored', 'Goal just scored', 'Six points from fifty metres'),
    behind: scene('scored', 'Behind just scored', 'Rushed through under pressure'),
    'half-time': scene('break', 'Half time', 'The long break'),
    late: scene('late', 'Final minute', 'Less than a goal in it'),
    'full-time': scene('finished', 'Full time', 'Both sides over a hundred points'),
    'extra-time': scene('decider', 'Extra time', 'A drawn final goes on'),
    suspended: scene('stopped', 'Suspended', 'Lightning over the ground'),
  },
  tell(open) {
    const match = open()
    match.start()
    const quarter = (goals: readonly [number, number], behinds: readonly [number, number], minute = 20) =>
      match.spread(minute, {
        home: { goal: goals[0], behind: behinds[0], mark: 6, kick: 9, handball: 5, tackle: 4, hitOut: 3, inside50: 4 },
        away: { goal: goals[1], behind: behinds[1], mark: 5, kick: 8, handball: 6, tackle: 5, hitOut: 2, inside50: 4 },
      })
    quarter([4, 3], [3, 4])
    match.endPeriod()
    match.period()
    quarter([3, 2], [1, 3], 13)
    match.at(13, 36)
    match.scene('live')
    match.fact('clockStop')
    match.scene('suspended', 'suspended')
    match.wait(900)
    match.fact('clockStart')
    match.at(15, 2)
    match.fact('goal', away(13), { with: 8 })
    match.wait(8)
    match.scene('goal')
    match.spread(19, { home: { goal: 2, behind: 1 }, away: { goal: 1, behind: 1 } })
    match.fact('rushedBehind', home())
    match.wait(5)
    match.scene('behind')
    match.at(20)
    match.endPeriod()
    match.scene('half-time')
    match.period()
    quarter([4, 5], [4, 2])
    match.endPeriod()
    match.period()
    quarter([3, 4], [3, 2], 19)
    match.at(19, 18)
    match.fact('goal', home(13))
    match.wait(12)
    match.scene('late')
    match.fact('behind', away(14))
    match.at(20)
    match.endPeriod()
    match.finish()
    match.scene('full-time')

    const final = open({ extraTime: true })
    final.start()
    for (let number = 1; number <= 4; number++) {
      if (number > 1) final.period()
      final.spread(20, { home: { goal: 3, behind: 2, mark: 4 }, away: { goal: 3, behind: 2, mark: 4 } })
      final.endPeriod()
    }
    final.period()
    final.at(1, 20)
    final.fact('behind', home(12))
    final.at(1, 52)
    final.scene('extra-time')
  },
}
