import { type Script, scene } from '../script.ts'
import { away, home } from '../story.ts'

export const handBall: Script = {
  cast: {
    competition: ['Alpen-Adria Handball Cup', 'Alpen-Adria Cup'],
    round: 'Final four, semi-final',
    date: '2026-05-23T15:15:00.000Z',
    venue: {
      name: 'Arena Zlatorog Dol',
      gfxName: 'Arena Zlatorog',
      city: 'Zagorica',
      country: 'Slovenia',
      timezone: 'Europe/Ljubljana',
    },
    pool: 'women',
    from: 30,
    clubs: {
      home: {
        name: 'RK Zagorica',
        gfxName: 'RK Zagorica',
        abbreviation: 'ZAG',
        colours: ['#0f7a3d', '#ffffff', '#ffffff', '#0f7a3d'],
        coach: 'Špela Kovačič',
      },
      away: {
        name: 'Szentgyörgyi Női Kézilabda Club',
        gfxName: 'Szentgyörgyi NKC',
        gfxFullName: 'Szentgyörgyi Női Kézilabda Club',
        abbreviation: 'SZNK',
        colours: ['#8e1f6b', '#ffffff', '#f5d5ea', '#5a0f43'],
        coach: 'Orsolya Bükkszentmiklósi',
      },
    },
    positions:
      'GK:goalkeeper LW:wing LB:back CB:back RB:back RW:wing P:pivot | GK:goalkeeper LW:wing LB:back CB:back RB:back RW:wing P:pivot P:pivot CB:back',
    numbers: { home: '1 17 9 24 5 22 13 16 2 8 10 27 4 3 18 33', away: '12 7 25 10 19 14 6 1 3 21 11 28 15 4 90 99' },
    captain: 4,
    officials: ['referee', 'referee', 'timekeeper', 'scorer'],
    by: { goal: [2, 3, 4, 5, 6, 7, 10, 11], save: [1], sevenMetreGoal: [4], twoMinuteSuspension: [3, 7, 11] },
  },
  scenes: {
    live: scene('live', 'First half', 'Fast and level after 17 minutes'),
    goal: scene('scored', 'Goal just scored', 'A fast break'),
    'seven-metre': scene('scored', 'Seven-metre goal', 'From the line'),
    suspension: scene('discipline', 'Two-minute suspension', 'Six against five'),
    'half-time': scene('break', 'Half time', 'One goal between the sides'),
    'team-timeout': scene('break', 'Team time-out', 'The green card is on the table'),
    late: scene('late', 'Last seconds', 'A goal for the lead with five seconds to play'),
    'full-time': scene('finished', 'Full time', 'Won by one'),
    'extra-time': scene('decider', 'Extra time', 'Twice five minutes'),
    'shoot-out': scene('decider', 'Seven-metre shoot-out', 'Level after two extra times'),
    suspended: scene('stopped', 'Suspended', 'The floor is wet'),
  },
  tell(open) {
    const match = open()
    match.start()
    match.spread(17, { home: { goal: 9, save: 4, shot: 5 }, away: { goal: 9, save: 3, shot: 6, turnover: 2 } })
    match.at(17, 12)
    match.scene('live')
    match.fact('clockStop')
    match.scene('suspended', 'suspended')
    match.wait(90)
    match.fact('clockStart')
    match.fact('twoMinuteSuspension', away(7))
    match.wait(6)
    match.scene('suspension')
    match.at(18, 3)
    match.fact('sevenMetreGoal', home(4))
    match.wait(3)
    match.scene('seven-metre')
    match.spread(30, { home: { goal: 5, save: 4, turnover: 2 }, away: { goal: 7, save: 4 } })
    match.endPeriod()
    match.scene('half-time')
    match.period()
    match.spread(11, { home: { goal: 6, save: 2 }, away: { goal: 4, twoMinuteSuspension: 1 } })
    match.at(11, 20)
    match.fact('goal', home(6), { with: 4 })
    match.wait(4)
    match.scene('goal')
    match.at(24, 40)
    match.fact('timeout', away())
    match.wait(20)
    match.scene('team-timeout')
    match.wait(40)
    match.fact('clockStart')
    match.spread(29, { home: { goal: 5, save: 3 }, away: { goal: 7, save: 4 } })
    match.at(29, 55)
    match.fact('goal', home(3))
    match.scene('late')
    match.at(30)
    match.endPeriod()
    match.finish()
    match.scene('full-time')

    const final = open({ extraTime: true, shootout: true })
    final.start()
    final.spread(30, { home: { goal: 12 }, away: { goal: 13 } })
    final.endPeriod()
    final.period()
    final.spread(30, { home: { goal: 14 }, away: { goal: 13 } })
    final.endPeriod()
    final.period()
    final.spread(2, { home: { goal: 1 }, away: { goal: 1 } })
    final.at(2, 31)
    final.scene('extra-time')
    for (const _ of [1, 2, 3]) {
      final.at(5)
      final.endPeriod()
      final.period()
    }
    final.at(5)
    final.endPeriod()
    final.wait(120)
    final.fact('shootoutStart')
    for (const [place, one, other] of [
      [4, 'sevenMetreGoal', 'sevenMetreGoal'],
      [3, 'sevenMetreGoal', 'sevenMetreMissed'],
      [5, 'sevenMetreGoal', 'sevenMetreGoal'],
    ] as const) {
      final.wait(30)
      final.fact(one, home(place))
      final.wait(30)
      final.fact(other, away(place))
    }
    final.scene('shoot-out')
  },
}
