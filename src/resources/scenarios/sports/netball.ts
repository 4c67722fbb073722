import { type Script, scene } from '../script.ts'
import { away, home, type Story } from '../story.ts'

export const netball: Script = {
  cast: {
    competition: ['Trans-Tasman Netball Trophy', 'Tasman Trophy'],
    round: 'Round 9',
    date: '2026-06-13T08:00:00.000Z',
    venue: {
      name: 'Silverfern Arena',
      city: 'Porirua Heights',
      country: 'New Zealand',
      timezone: 'Pacific/Auckland',
      courts: ['Show court'],
    },
    pool: 'women',
    from: 38,
    clubs: {
      home: {
        name: 'Porirua Pūkeko',
        gfxName: 'Pūkeko',
        gfxFullName: 'Porirua Pūkeko',
        abbreviation: 'PŪK',
        colours: ['#1f2a8c', '#ffffff', '#d7263d', '#ffffff'],
        coach: 'Tania Wharerau',
      },
      away: {
        name: 'Kalgarra Kookaburras',
        gfxName: 'Kalgarra',
        gfxFullName: 'Kalgarra Kookaburras',
        abbreviation: 'KAL',
        colours: ['#0b8f62', '#ffffff', '#ffe08a', '#0b3d2c'],
        coach: 'Simone Delacroix',
      },
    },
    positions:
      'GS:shooter GA:shooter WA:midcourt C:midcourt WD:midcourt GD:defender GK:defender | GS:shooter WA:midcourt C:midcourt GD:defender GK:defender',
    captain: 4,
    officials: ['umpire', 'umpire', 'timekeeper'],
    by: {
      goal: [1, 1, 1, 2],
      superGoal: [2],
      miss: [1, 2],
      intercept: [6, 7],
      rebound: [1, 7],
      centrePass: [4],
      penalty: [6, 7, 5],
    },
  },
  scenes: {
    live: scene('live', 'First quarter', 'Goal for goal from the centre pass'),
    goal: scene('scored', 'Goal just scored', 'The home side breaks and leads by two'),
    warning: scene('discipline', 'Warning', 'The goal keeper has been warned'),
    'half-time': scene('break', 'Half time', 'Two goals between the sides'),
    late: scene('late', 'Last minute', 'Level, the centre pass is with the visitors'),
    'full-time': scene('finished', 'Full time', 'Over a hundred goals together'),
    'extra-time': scene('decider', 'Extra time', 'Seven minutes each way'),
    suspended: scene('stopped', 'Suspended', 'A light has fallen dark above the court'),
  },
  tell(open) {
    const match = open()
    match.start()
    quarter(match, 9, [8, 8])
    match.at(9, 21)
    match.scene('live')
    match.fact('clockStop')
    match.scene('suspended', 'suspended')
    match.wait(240)
    match.fact('clockStart')
    match.fact('intercept', home(6))
    match.at(9, 50)
    match.fact('goal', home(1))
    match.at(10, 28)
    match.fact('goal', home(2), { with: 3 })
    match.wait(3)
    match.scene('goal')
    quarter(match, 15, [4, 5])
    match.endPeriod()
    match.period()
    quarter(match, 15, [14, 13])
    match.endPeriod()
    match.scene('half-time')
    match.period()
    quarter(match, 7, [6, 7])
    match.at(7, 33)
    match.fact('warning', away(7))
    match.fact('clockStop')
    match.wait(10)
    match.scene('warning')
    match.fact('clockStart')
    quarter(match, 15, [7, 8])
    match.endPeriod()
    match.period()
    quarter(match, 14, [13, 13])
    match.at(14, 22)
    match.fact('centrePass', away(4))
    match.wait(2)
    match.scene('late')
    match.at(14, 57)
    match.fact('goal', away(1))
    match.at(15)
    match.endPeriod()
    match.finish()
    match.scene('full-time')

    const final = open({ extraTime: true })
    final.start()
    for (let number = 1; number <= 4; number++) {
      if (number > 1) final.period()
      quarter(final, 15, [13, 13])
      final.endPeriod()
    }
    final.period()
    quarter(final, 3, [3, 2])
    final.at(3, 9)
    final.scene('extra-time')
  },
}

const quarter = (match: Story, minute: number, [ours, theirs]: readonly [number, number]) =>
  match.spread(minute, {
    home: { goal: ours, miss: 1, intercept: 1, penalty: 2 },
    away: { goal: theirs, miss: 1, turnover: 1, penalty: 1 },
  })
