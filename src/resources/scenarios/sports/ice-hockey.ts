import { type Script, scene } from '../script.ts'
import { away, home } from '../story.ts'

const MINOR = (kind: string) => ({ details: { kind, minutes: 2 } })

export const iceHockey: Script = {
  cast: {
    competition: ['Polar Circle Hockey League', 'Polar Circle'],
    round: 'Final, game 7',
    date: '2026-04-25T16:30:00.000Z',
    venue: { name: 'Revontuli Areena', city: 'Kuusilampi', country: 'Finland', timezone: 'Europe/Helsinki' },
    pool: 'men',
    from: 22,
    clubs: {
      home: {
        name: 'Kuusilammen Ketut',
        gfxName: 'Kuusilampi',
        gfxFullName: 'Kuusilammen Ketut',
        abbreviation: 'KET',
        colours: ['#d9541e', '#1b0d06', '#1e2430', '#f6b48a'],
        coach: 'Jarkko Mäntylä',
      },
      away: {
        name: 'Norrsken Hockey',
        gfxName: 'Norrsken',
        abbreviation: 'NSK',
        colours: ['#0f3d5e', '#ffffff', '#43d9ad', '#06202f'],
        coach: 'Annika Öberg',
      },
    },
    positions:
      'G:goaltender LD:defence RD:defence LW:forward C:forward RW:forward | G:goaltender LD:defence RD:defence LD:defence RD:defence LW:forward C:forward RW:forward LW:forward C:forward RW:forward LW:forward C:forward',
    numbers: {
      home: '31 4 07 19 88 27 35 5 44 6 23 16 11 71 29 9 62 13 91',
      away: '1 2 55 17 97 12 30 8 33 28 3 21 14 86 24 10 41 18 77',
    },
    captain: 5,
    officials: ['referee', 'referee', 'umpire', 'umpire'],
    by: {
      goal: [4, 5, 6, 12, 13],
      shot: [4, 5, 6, 12, 13, 14],
      save: [1],
      faceoff: [5, 13],
      hit: [2, 3, 8, 9],
      goalieChange: [1],
    },
  },
  scenes: {
    live: scene('live', 'First period', 'Goalless, the shots pile up'),
    goal: scene('scored', 'Goal just scored', 'On the power play'),
    'power-play': scene('discipline', 'Penalty', 'Two minutes for hooking'),
    'second-break': scene('break', 'Second break', 'Two goals each after forty minutes'),
    late: scene('late', 'Empty net', 'The goaltender is out, a minute to play'),
    'full-time': scene('finished', 'Final buzzer', 'Decided by an empty-net goal'),
    overtime: scene('decider', 'Overtime', 'The next goal wins'),
    'shoot-out': scene('decider', 'Shoot-out', 'Three rounds taken'),
    suspended: scene('stopped', 'Suspended', 'A hole in the ice'),
  },
  tell(open) {
    const match = open()
    match.start()
    match.spread(7, { home: { shot: 5, faceoff: 4, hit: 2 }, away: { shot: 3, save: 4, faceoff: 3 } })
    match.at(7, 9)
    match.scene('live')
    match.fact('clockStop')
    match.scene('suspended', 'suspended')
    match.wait(500)
    match.fact('clockStart')
    match.at(11, 40)
    match.fact('penalty', away(3), MINOR('hooking'))
    match.fact('clockStop')
    match.wait(12)
    match.scene('power-play')
    match.fact('clockStart')
    match.at(12, 58)
    match.fact('goal', home(4), { with: 5, value: 'powerPlay' })
    match.fact('clockStop')
    match.wait(10)
    match.scene('goal')
    match.fact('clockStart')
    match.spread(20, { home: { shot: 5, hit: 3 }, away: { shot: 4, save: 3 } })
    match.endPeriod()
    match.period()
    match.spread(19, {
      home: { goal: 1, shot: 9, faceoff: 6, save: 7, hit: 4 },
      away: { goal: 2, shot: 11, faceoff: 7, save: 8, hit: 5 },
    })
    match.at(20)
    match.endPeriod()
    match.scene('second-break')
    match.period()
    match.at(3, 17)
    match.fact('penalty', home(9), MINOR('tripping'))
    match.spread(14, { home: { shot: 6, save: 5 }, away: { shot: 7, save: 6 } })
    match.fact('goal', away(13), { with: 12 })
    match.at(18, 47)
    match.fact('goalieChange', home(1), { value: 'pulled' })
    match.wait(14)
    match.scene('late')
    match.at(19, 31)
    match.fact('goal', away(5), { value: 'emptyNet' })
    match.at(20)
    match.endPeriod()
    match.finish()
    match.scene('full-time')

    const decider = open({ extraTime: true, goldenGoal: true, shootout: true })
    decider.start()
    for (let number = 1; number <= 3; number++) {
      if (number > 1) decider.period()
      decider.spread(20, { home: { goal: 1, shot: 9, save: 8 }, away: { goal: 1, shot: 8, save: 8 } })
      decider.endPeriod()
    }
    decider.period()
    decider.spread(2, { home: { shot: 2 }, away: { shot: 1, save: 2 } })
    decider.at(2, 22)
    decider.scene('overtime')
    decider.at(5)
    decider.endPeriod()
    decider.wait(120)
    decider.fact('shootoutStart')
    for (const [place, one, other] of [
      [5, 'goal', 'shootoutMissed'],
      [6, 'shootoutMissed', 'goal'],
      [4, 'goal', 'shootoutMissed'],
    ] as const) {
      decider.wait(30)
      decider.fact(one, home(place))
      decider.wait(30)
      decider.fact(other, away(place))
    }
    decider.scene('shoot-out')
  },
}
