import type { Side } from '../cast.ts'
import { type Script, scene } from '../script.ts'
import { away, home, type Story } from '../story.ts'

export const volleyball: Script = {
  cast: {
    competition: ['Anatolian Volleyball Super League', 'Super League'],
    round: 'Final series, match 3',
    date: '2026-04-12T16:00:00.000Z',
    venue: {
      name: 'Göksu Spor Salonu',
      city: 'Göksu',
      country: 'Türkiye',
      timezone: 'Europe/Istanbul',
      courts: ['Court 1'],
    },
    pool: 'women',
    from: 44,
    clubs: {
      home: {
        name: 'Göksu Spor Kulübü',
        gfxName: 'Göksu Spor',
        abbreviation: 'GÖK',
        colours: ['#c8102e', '#ffffff', '#ffffff', '#c8102e'],
        coach: 'Şeyma Karadağ',
      },
      away: {
        name: 'Imoco Valdarno Pallavolo',
        gfxName: 'Valdarno',
        gfxFullName: 'Imoco Valdarno Pallavolo',
        abbreviation: 'VAL',
        colours: ['#f4c20d', '#1b1606', '#1e3d8f', '#ffffff'],
        coach: 'Fiammetta Bracciolini',
      },
    },
    positions:
      'S:setter OH:outside MB:middle OP:opposite OH:outside MB:middle | L:libero S:setter OH:outside MB:middle OP:opposite OH:outside',
    numbers: { home: '3 07 14 18 9 11 1 5 8 16 20 12', away: '10 4 13 17 2 15 6 8 19 7 21 22' },
    captain: 2,
    officials: ['referee', 'referee', 'scorer'],
    by: { substitution: [8, 9, 10] },
  },
  scenes: {
    live: scene('live', 'First set', 'Level in the middle of the set'),
    ace: scene('scored', 'Ace', 'A service ace brings set point'),
    'set-break': scene('break', 'Between sets', 'One set each'),
    timeout: scene('break', 'Time-out', 'Four points behind in the third set'),
    challenge: scene('discipline', 'Challenge', 'Was the ball in?'),
    late: scene('late', 'Set point saved', 'The fourth set goes beyond 25'),
    'tie-break': scene('decider', 'Tie-break', 'The fifth set, to fifteen'),
    'match-point': scene('decider', 'Match point', 'One point is missing'),
    'full-time': scene('finished', 'Match over', 'Won in five sets'),
    suspended: scene('stopped', 'Suspended', 'The net has to be changed'),
  },
  tell(open) {
    const match = open()
    const rally = rallies(match)
    match.start(home())
    rally('hahhaahahhaahhahhaahahha')
    match.scene('live')
    match.scene('suspended', 'suspended')
    rally('hahahhahahhahhah')
    match.fact('point', home(2), { value: 'ace' })
    match.scene('ace')
    rally('ah')
    match.wait(180)
    // the winner of a set makes its last point
    rally(`${match.shuffled([...'h'.repeat(19), ...'a'.repeat(24)]).join('')}a`)
    match.scene('set-break')
    match.wait(180)
    rally('ahaahaaahaah')
    match.fact('timeout', home())
    match.wait(20)
    match.scene('timeout')
    rally('hhahahhahhhahahhahahhahhahhahhh')
    match.wait(180)
    rally('ha'.repeat(9))
    match.fact('challenge', away(), { value: 'in' })
    match.wait(15)
    match.scene('challenge')
    rally('ah'.repeat(16))
    match.scene('late')
    rally('aa')
    match.wait(180)
    rally('hahaahhahh')
    match.scene('tie-break')
    rally('ahhahhahhhah')
    match.scene('match-point')
    rally('ah')
    match.finish()
    match.scene('full-time')
  },
}

const KINDS = ['kill', 'error', 'kill', 'block', 'kill', 'ace']

/** Rallies of a match one after another: `h` is a point of the home side, `a` of the visitors. */
function rallies(match: Story) {
  let count = 0
  return (winners: string) => {
    for (const winner of winners) {
      match.wait(28)
      const side: Side = winner === 'h' ? 'home' : 'away'
      const kind = KINDS[count++ % KINDS.length] ?? 'kill'
      match.fact('point', kind === 'error' ? { side } : { side, place: match.placeFor('point') }, { value: kind })
    }
  }
}
