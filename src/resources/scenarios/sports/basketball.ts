import { type Script, scene } from '../script.ts'
import { away, home } from '../story.ts'

export const basketball: Script = {
  cast: {
    competition: ['Baltic Basketball League', 'Baltic League'],
    round: 'Playoffs, game 5',
    date: '2026-05-09T17:30:00.000Z',
    venue: { name: 'Dzintara arēna', city: 'Liepkalni', country: 'Latvia', timezone: 'Europe/Riga' },
    pool: 'men',
    from: 10,
    clubs: {
      home: {
        name: 'BK Liepkalni',
        gfxName: 'Liepkalni',
        gfxFullName: 'Basketbola klubs Liepkalni',
        abbreviation: 'LIE',
        colours: ['#7b1e3a', '#ffffff', '#f3e3c3', '#4a0f21'],
        coach: 'Kārlis Bērziņš',
      },
      away: {
        name: 'Gdyńska Fala',
        gfxName: 'Gdyńska Fala',
        abbreviation: 'GDY',
        colours: ['#0f5fa8', '#ffffff', '#ffd500', '#0b2f54'],
        coach: 'Małgorzata Szymborska',
      },
    },
    positions:
      'PG:guard SG:guard SF:forward PF:forward C:centre | G:guard G:guard F:forward F:forward C:centre G:guard F:forward',
    numbers: { home: '07 00 23 34 15 3 11 8 21 50 1 77', away: '0 4 10 32 44 5 9 13 20 55 6 99' },
    captain: 1,
    officials: ['referee', 'umpire', 'umpire', 'scorer'],
    by: { block: [4, 5], rebound: [3, 4, 5, 10], assist: [1, 2], threePointer: [1, 2, 3, 6] },
  },
  scenes: {
    'tip-off': scene('live', 'Just under way', 'No basket yet'),
    live: scene('live', 'Second quarter', 'Both sides trade baskets'),
    'three-pointer': scene('scored', 'Three-pointer just scored', 'The lead has changed'),
    bonus: scene('discipline', 'Fifth team foul', 'Two free throws from now on'),
    'half-time': scene('break', 'Half time', 'Level at the long break'),
    timeout: scene('break', 'Time-out', 'Clock stopped in the fourth quarter'),
    late: scene('late', 'At the buzzer', 'A three with the last shot, both sides over a hundred'),
    'full-time': scene('finished', 'Final buzzer', 'Both sides over a hundred points'),
    overtime: scene('decider', 'Overtime', 'Five more minutes'),
    suspended: scene('stopped', 'Suspended', 'The shot clock does not work'),
  },
  tell(open) {
    const match = open()
    match.start()
    match.at(0, 19)
    match.scene('tip-off')
    match.spread(10, {
      home: { twoPointer: 6, threePointer: 3, freeThrow: 4, foul: 2, rebound: 7, assist: 5, turnover: 2 },
      away: { twoPointer: 7, threePointer: 2, freeThrow: 3, foul: 3, rebound: 6, assist: 4, turnover: 3 },
    })
    match.endPeriod()
    match.period()
    match.spread(5, {
      home: { twoPointer: 4, threePointer: 1, freeThrow: 2, foul: 4, rebound: 3, assist: 3 },
      away: { twoPointer: 3, threePointer: 2, freeThrow: 1, foul: 1, rebound: 4, steal: 1 },
    })
    match.at(5, 22)
    match.scene('live')
    match.fact('clockStop')
    match.scene('suspended', 'suspended')
    match.wait(200)
    match.fact('clockStart')
    match.at(5, 58)
    match.fact('foul', home(4))
    match.fact('clockStop')
    match.wait(8)
    match.scene('bonus')
    match.fact('clockStart')
    match.spread(10, {
      home: { twoPointer: 4, threePointer: 1, freeThrow: 3, rebound: 4 },
      away: { twoPointer: 4, threePointer: 2, freeThrow: 2, foul: 3 },
    })
    match.endPeriod()
    match.scene('half-time')
    match.period()
    match.spread(10, {
      home: { twoPointer: 7, threePointer: 3, freeThrow: 2, foul: 4, rebound: 8, block: 1 },
      away: { twoPointer: 6, threePointer: 3, freeThrow: 4, foul: 3, rebound: 7, turnover: 2 },
    })
    match.endPeriod()
    match.period()
    match.spread(6, {
      home: { twoPointer: 4, threePointer: 1, freeThrow: 2, foul: 2, rebound: 4 },
      away: { twoPointer: 5, threePointer: 1, freeThrow: 1, foul: 2, steal: 1 },
    })
    match.at(6, 11)
    match.fact('threePointer', away(2), { with: 1 })
    match.wait(4)
    match.scene('three-pointer')
    match.fact('timeout', home())
    match.wait(25)
    match.scene('timeout')
    match.wait(35)
    match.fact('clockStart')
    match.spread(9, { home: { twoPointer: 4, freeThrow: 2 }, away: { twoPointer: 3, freeThrow: 2, foul: 2 } })
    match.at(9, 59)
    match.fact('threePointer', home(1), { with: 2 })
    match.scene('late')
    match.at(10)
    match.endPeriod()
    match.finish()
    match.scene('full-time')

    const tied = open()
    tied.start()
    for (let quarter = 1; quarter <= 4; quarter++) {
      if (quarter > 1) tied.period()
      tied.spread(10, {
        home: { twoPointer: 8, threePointer: 2, freeThrow: 2, foul: 3, rebound: 5 },
        away: { twoPointer: 7, threePointer: 2, freeThrow: 4, foul: 4, rebound: 6 },
      })
      tied.endPeriod()
    }
    tied.period()
    tied.spread(2, { home: { twoPointer: 2, freeThrow: 1 }, away: { threePointer: 1 } })
    tied.at(2, 37)
    tied.scene('overtime')
  },
}
