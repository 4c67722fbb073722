import type { Side } from '../cast.ts'
import { type Script, scene } from '../script.ts'
import type { Story } from '../story.ts'

export const cricket: Script = {
  cast: {
    competition: ['Monsoon Twenty20 Trophy', 'Monsoon T20'],
    round: 'Match 38',
    date: '2026-10-04T14:00:00.000Z',
    venue: {
      name: 'Lotus Lake Cricket Ground',
      gfxName: 'Lotus Lake',
      city: 'Kandapura',
      country: 'Sri Lanka',
      timezone: 'Asia/Colombo',
    },
    pool: 'men',
    from: 32,
    clubs: {
      home: {
        name: 'Kandapura Leopards',
        gfxName: 'Kandapura',
        gfxFullName: 'Kandapura Leopards',
        abbreviation: 'KAN',
        colours: ['#173f8a', '#ffffff', '#f4a51c', '#0c2350'],
        coach: 'Mahesh Wickramasinghe',
      },
      away: {
        name: 'Bridgetown Trade Winds',
        gfxName: 'Trade Winds',
        gfxFullName: 'Bridgetown Trade Winds',
        abbreviation: 'BTW',
        colours: ['#8a1538', '#ffffff', '#ffd23f', '#3f0818'],
        coach: 'Desmond Braithwaite',
      },
    },
    positions:
      'BAT:batter BAT:batter BAT:batter BAT:batter WK:wicketkeeper AR:allRounder AR:allRounder BWL:bowler BWL:bowler BWL:bowler BWL:bowler | SUB:substitute',
    numbers: { home: '18 07 45 1 29 77 10 93 55 8 24 12', away: '3 99 21 66 14 5 33 88 11 47 70 17' },
    captain: 4,
    officials: ['umpire', 'umpire', 'videoReferee'],
  },
  scenes: {
    live: scene('live', 'First innings', 'Powerplay over, two wickets down'),
    six: scene('scored', 'Six', 'Over long-on'),
    wicket: scene('scored', 'Wicket', 'Caught in the deep, a new batter is coming in'),
    review: scene('discipline', 'Review', 'Leg before? The third umpire looks at it'),
    'innings-break': scene('break', 'Innings break', 'The target is set'),
    chase: scene('live', 'The chase', 'Half-way through, behind the rate'),
    late: scene('late', 'Last over', 'A boundary is needed from the last two balls'),
    'full-time': scene('finished', 'Match over', 'Won with one ball to spare'),
    'super-over': scene('decider', 'Super over', 'The match is tied'),
    suspended: scene('stopped', 'Rain', 'The covers are on'),
  },
  tell(open) {
    twenty(open())
    const tied = open({ extraTime: true })
    tied.start({ side: 'home' }, { details: { overs: 5 } })
    const first = batting(tied, 'home')
    first('14.1.6 .2W114 61..41 1.4W12 6141.W')
    tied.wait(600)
    const second = batting(tied, 'away')
    second('1.4.12 6W.114 .41.61 W.1412 1141W5')
    tied.wait(300)
    batting(tied, 'home')('416.1W')
    tied.wait(200)
    batting(tied, 'away')('1.4')
    tied.scene('super-over')
  },
}

function twenty(match: Story) {
  match.start({ side: 'home' }, { details: { overs: 20 } })
  const first = batting(match, 'home')
  first('1.4..1 ..2.41 6.1.1. 1W.12. 4w4.11 .1.b41 1.21W1 1.1')
  match.scene('live')
  first('.6')
  match.scene('six')
  first('1 11.4.1')
  match.fact('review', { side: 'away' }, { value: 'lbw' })
  match.wait(30)
  match.scene('review')
  match.scene('suspended', 'suspended')
  first('1.1211 4.11W')
  match.scene('wicket')
  first('1. .161.1 11.2n41 6.411W 1.1411 2114.1 16.1W4 4116.1 1W2.61 2.1646')
  match.scene('innings-break')
  match.wait(900)
  const second = batting(match, 'away')
  second('4.1..4 1.1.1W 6..141 1.4.1. .W1.21 1.1.l4 16.1.1 1.1W.1 2.114. 1.1.61')
  match.scene('chase')
  second('4.1141 1W1.61 2.4114 1.61.1 41.W14 6.1141 14..21 1W6141 1..116')
  second('6141')
  match.scene('late')
  second('6')
  match.scene('full-time')
}

const RUNS = /[1-35]/

/** Balls of one side in the words of a score book: runs, `.` none, `W` wicket, `w` wide, `n` no-ball, `b` bye, `l` leg bye. */
function batting(match: Story, side: Side) {
  const fielding: Side = side === 'home' ? 'away' : 'home'
  let pair: [number, number] = [1, 2]
  let next = 3
  let balls = 0
  let bowling = 0
  return (book: string) => {
    for (const ball of book.replaceAll(' ', '')) {
      match.wait(34)
      const who = { side, place: pair[0] }
      const bowler = { side: fielding, place: 11 - (Math.floor(balls / 6) % 5) }
      if (bowler.place !== bowling) match.fact('newBowler', bowler)
      bowling = bowler.place
      if (ball !== 'w' && ball !== 'n') balls++
      if (ball === 'W') {
        match.fact('wicket', who, {
          with: { side: fielding, place: 3 + (next % 6) },
          details: { kind: 'caught' },
        })
        pair = [next++, pair[1]]
      } else if (ball === 'w') match.fact('wide', { side })
      else if (ball === 'n') match.fact('noBall', { side })
      else if (ball === 'b') match.fact('bye', { side })
      else if (ball === 'l') match.fact('legBye', { side })
      else if (ball === '4') match.fact('four', who)
      else if (ball === '6') match.fact('six', who)
      else match.fact('runs', who, { points: RUNS.test(ball) ? Number(ball) : 0 })
      const crossed = ball === '1' || ball === '3' || ball === '5' || ball === 'b' || ball === 'l'
      if (crossed !== (balls % 6 === 0)) pair = [pair[1], pair[0]]
    }
  }
}
