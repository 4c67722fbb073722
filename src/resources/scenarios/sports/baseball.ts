import type { Side } from '../cast.ts'
import { type Script, scene } from '../script.ts'
import type { Story } from '../story.ts'

export const baseball: Script = {
  cast: {
    competition: ['Pacific Rim Baseball League', 'Pacific Rim'],
    round: 'Game 4',
    date: '2026-07-18T09:00:00.000Z',
    venue: { name: 'Umikaze Stadium', city: 'Shiosai', country: 'Japan', timezone: 'Asia/Tokyo' },
    pool: 'men',
    from: 16,
    clubs: {
      home: {
        name: 'Shiosai Cranes',
        gfxName: 'Shiosai',
        gfxFullName: 'Shiosai Cranes',
        abbreviation: 'SHI',
        colours: ['#142850', '#ffffff', '#e63946', '#ffffff'],
        coach: 'Haruto Kiyokawa',
      },
      away: {
        name: 'Hanmi Harbor Giants',
        gfxName: 'Harbor Giants',
        gfxFullName: 'Hanmi Harbor Giants',
        abbreviation: 'HHG',
        colours: ['#f28c28', '#1a1206', '#1f1f1f', '#f28c28'],
        coach: 'Min-jun Seok',
      },
    },
    positions:
      'P:pitcher C:catcher 1B:infield 2B:infield 3B:infield SS:infield LF:outfield CF:outfield RF:outfield | P:pitcher P:pitcher P:pitcher C:catcher IF:infield OF:outfield DH:hitter',
    numbers: {
      home: '11 27 3 4 5 07 55 1 51 18 42 30 22 9 8 25',
      away: '19 2 44 13 7 6 24 10 34 00 91 38 12 15 21 99',
    },
    captain: 6,
    officials: ['umpire', 'umpire', 'umpire', 'umpire'],
  },
  scenes: {
    'first-pitch': scene('live', 'First pitch', 'Top of the first, nobody out'),
    live: scene('live', 'Full count', 'Two out, two on, three balls and two strikes'),
    'home-run': scene('scored', 'Home run', 'Three runs with one swing'),
    'pitching-change': scene('break', 'Pitching change', 'A reliever comes in'),
    'seventh-inning': scene('break', 'Seventh-inning stretch', 'The visitors have batted'),
    late: scene('late', 'Bases loaded', 'Bottom of the ninth, one run behind'),
    'full-time': scene('finished', 'Walk-off', 'Two runs in the bottom of the ninth'),
    'extra-innings': scene('decider', 'Extra innings', 'Top of the tenth, level'),
    suspended: scene('stopped', 'Rain delay', 'The tarpaulin is on the field'),
  },
  tell(open) {
    const match = open()
    match.start()
    match.wait(20)
    match.scene('first-pitch')
    const top = (book: string) => half(match, 'away', book)
    const bottom = (book: string) => half(match, 'home', book)
    top('SB O BFS S O')
    bottom('H100 SBO BSSFS O')
    top('BBBB BSH110 O SFS')
    top('BBSBF')
    match.scene('live')
    match.scene('suspended', 'suspended')
    top('S')
    bottom('O O SSS')
    top('O BH100 O O')
    bottom('BSH100 BBH110 SO B D3')
    match.scene('home-run')
    bottom('O O')
    top('H100 O H101 R O O')
    bottom('SSS O BO')
    top('O O O')
    bottom('BH100 O O SFFS')
    top('BBBB H110 H111 H110 R R O')
    match.fact('pitchingChange', { side: 'home', place: 10 }, { with: 1 })
    match.wait(60)
    match.scene('pitching-change')
    top('O SSS')
    bottom('O O O')
    top('H100 O O BBO')
    match.wait(30)
    match.scene('seventh-inning')
    bottom('O O O')
    top('D1 O O O')
    bottom('BSO O O')
    top('O SSS O')
    bottom('H100 O BBBB SBH111 BSS')
    match.scene('late')
    bottom('BH101 R R')
    match.finish()
    match.scene('full-time')

    const long = open()
    long.start()
    for (let inning = 1; inning <= 9; inning++) {
      half(long, 'away', inning === 3 ? 'H100 D2 O O O' : 'O SSS O')
      half(long, 'home', inning === 6 ? 'H100 BH010 R H100 R O O O' : 'O O BSO')
    }
    half(long, 'away', 'H010 BS')
    long.scene('extra-innings')
  },
}

const PITCHES: Readonly<Record<string, string>> = { S: 'strike', B: 'ball', F: 'foulBall' }

/**
 * One side at bat: `S` strike, `B` ball, `F` foul ball, `O` out, `R` run, `D3` home run of three runs, `H101` hit after which
 * there are runners on first and third.
 */
function half(match: Story, side: Side, book: string) {
  const fielding: Side = side === 'home' ? 'away' : 'home'
  for (const [token] of book.matchAll(/H[01]{3}|D[1-4]|[SBFOR]/g)) {
    match.wait(22)
    const kind = token[0] ?? ''
    const batter = { side, place: match.placeFor('bat') }
    if (kind === 'H') match.fact('hit', batter, { details: { bases: [...token.slice(1)].map((base) => base === '1') } })
    else if (kind === 'D') match.fact('homeRun', batter, { points: Number(token[1]) })
    else if (kind === 'R') match.fact('run', batter)
    else if (kind === 'O') match.fact('out', { side: fielding })
    else match.fact(PITCHES[kind] ?? 'ball', { side: fielding, place: 1 })
  }
}
