import type { Cast } from '../cast.ts'
import { type Script, scene } from '../script.ts'
import { away, home, type Story } from '../story.ts'

const singles: Cast = {
  competition: ['Costa Verde Open', 'Costa Verde Open'],
  round: 'Final',
  date: '2026-06-07T13:00:00.000Z',
  venue: {
    name: 'Clube de Ténis da Costa Verde',
    gfxName: 'Costa Verde',
    city: 'Praia Longa',
    country: 'Portugal',
    timezone: 'Europe/Lisbon',
    courts: ['Centre Court', 'Court 1', 'Court 2'],
  },
  pool: 'women',
  from: 34,
  alone: 1,
  officials: ['umpire'],
}

const doubles: Cast = { ...singles, round: 'Men’s doubles, semi-final', pool: 'men', from: 33, alone: 2 }

export const tennis: Script = {
  cast: singles,
  scenes: {
    live: scene('live', 'First set', 'Three games each, 30–15'),
    deuce: scene('live', 'Advantage', 'Deuce and advantage in a long game'),
    'break-of-serve': scene('scored', 'Break of serve', 'The receiver has won the game'),
    'set-point': scene('late', 'Set point', 'Receiving, with three set points'),
    'tie-break': scene('decider', 'Tie-break', 'Second set, five points all'),
    'set-break': scene('break', 'Between sets', 'One set each'),
    late: scene('late', 'Match point', 'Third set, receiving, with three match points'),
    'full-time': scene('finished', 'Match over', 'Won in three sets'),
    doubles: scene('live', 'Doubles', 'Two players a side with long names'),
    'match-tie-break': scene('decider', 'Match tie-break', 'Doubles, ten points in place of a third set'),
    suspended: scene('stopped', 'Suspended', 'Rain'),
  },
  tell(open) {
    final(open())
    pairs(open({ extraTime: true, goldenGoal: true }, doubles))
  },
}

function final(match: Story) {
  const { points, games } = court(match)
  match.start(home())
  games('h1 a2 h0 a3 h1 a0')
  points('hah')
  match.scene('live')
  match.scene('suspended', 'suspended')
  points('hh')
  points('hahha')
  match.fact('breakPoint', home(1))
  points('h')
  match.scene('break-of-serve')
  points('hahahahahah')
  match.scene('deuce')
  points('aaa')
  points('hhh')
  match.scene('set-point')
  points('h')
  match.wait(120)
  games('a1 h2 a0 h3 a2 h0 a1 h1 a0 h2 a3 h1')
  points('haahhahaah')
  match.scene('tie-break')
  points('aa')
  match.scene('set-break')
  match.wait(120)
  games('h0 a1 h1 a0 h2 a2 h0 h3')
  points('hhh')
  match.scene('late')
  points('h')
  match.scene('full-time')
}

function pairs(match: Story) {
  const { points, games } = court(match)
  match.start(away())
  games('a1 h2 a0 h1 a2')
  points('hha')
  match.scene('doubles')
  points('hh')
  games('h1 h0 h2')
  match.wait(120)
  games('a0 a1 a2 h1 a0 h2 a1 a2')
  match.wait(120)
  points('hahahhaahahahhaa')
  match.scene('match-tie-break')
}

/** Games by the points that the other side makes in one; three make deuce. */
const GAMES = ['wwww', 'wlwww', 'wllwww', 'wlwlwlww']

/** Points on a court; some points are aces, winners and errors. */
function court(match: Story) {
  let played = 0
  /** `h` is a point of the first side. */
  const points = (winners: string) => {
    for (const winner of winners) {
      match.wait(32)
      const [who, other] = winner === 'h' ? [home(1), away(1)] : [away(1), home(1)]
      played++
      if (played % 9 === 0) match.fact('ace', who)
      else if (played % 5 === 0) match.fact('winner', who)
      else if (played % 7 === 0) match.fact('unforcedError', other)
      match.fact('point', who)
    }
  }
  /** `h2` is a game of the first side in which the other made two points. */
  const games = (winners: string) => {
    for (const [winner, lost] of winners.split(' ')) {
      const game = GAMES[Number(lost)] ?? ''
      points([...game].map((point) => ((point === 'w') === (winner === 'h') ? 'h' : 'a')).join(''))
      match.wait(25)
    }
  }
  return { points, games }
}
