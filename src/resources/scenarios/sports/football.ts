import { type Script, scene } from '../script.ts'
import { away, home, type Story } from '../story.ts'

const POSITIONS =
  'GK:goalkeeper RB:defender CB:defender CB:defender LB:defender DM:midfielder CM:midfielder RW:forward AM:midfielder LW:forward ST:forward | ' +
  'GK:goalkeeper CB:defender LB:defender CM:midfielder CM:midfielder RW:forward ST:forward AM:midfielder RB:defender'

export const football: Script = {
  cast: {
    competition: ['Northern Coast Premier League', 'Coast Premier'],
    round: 'Round 31',
    date: '2026-04-18T15:00:00.000Z',
    venue: {
      name: 'Estadio Municipal de la Ribera Alta',
      gfxName: 'Ribera Alta',
      city: 'Peñarrubia',
      country: 'Spain',
      timezone: 'Europe/Madrid',
    },
    pool: 'men',
    from: 0,
    clubs: {
      home: {
        name: 'Real Peñarrubia',
        gfxName: 'Peñarrubia',
        gfxFullName: 'Real Peñarrubia',
        abbreviation: 'PEÑ',
        colours: ['#7a1230', '#ffffff', '#f2d14b', '#2a0712'],
        coach: 'Ramón Etxeberria',
        formation: '4-2-3-1',
      },
      away: {
        name: 'Wolverstone & Harrowgate Wanderers',
        gfxName: 'Wolverstone',
        gfxFullName: 'Wolverstone & Harrowgate Wanderers',
        abbreviation: 'WHW',
        colours: ['#f0b323', '#14161c', '#14161c', '#f0b323'],
        coach: 'Declan Prycehurst',
        formation: '4-3-3',
      },
    },
    positions: POSITIONS,
    numbers: {
      home: '1 2 4 5 3 6 8 07 10 11 9 13 12 14 16 17 19 21 22 23',
      away: '1 22 5 6 3 4 8 7 10 11 99 13 12 15 16 18 20 23 24 27',
    },
    captain: 3,
    officials: ['referee', 'assistantReferee', 'assistantReferee', 'videoReferee'],
    by: { shot: [8, 9, 10, 11], shotOnTarget: [9, 10, 11], corner: [9, 10], save: [1], offside: [8, 11] },
  },
  scenes: {
    'kick-off': scene('live', 'Just under way', 'Goalless after three minutes, nothing has happened yet'),
    live: scene('live', 'First half', 'One goal after 34 minutes, cards, corners and shots on both sides'),
    goal: scene('scored', 'Goal just scored', 'The home side has taken the lead again in the 61st minute'),
    'own-goal': scene('scored', 'Own goal just scored', 'An own goal of the home captain counts for the visitors'),
    'red-card': scene('discipline', 'Red card', 'A visitor sees red, the substitute is ready'),
    'penalty-awarded': scene('discipline', 'Penalty awarded', 'The video referee has decided on a penalty'),
    'half-time': scene('break', 'Half time', 'All square after a penalty in added time'),
    late: scene('late', 'Winner in added time', 'A goal in the fourth minute of added time'),
    'full-time': scene('finished', 'Full time', 'Five goals, among them a penalty, an own goal and a late winner'),
    'extra-time': scene('decider', 'Extra time', 'A cup tie in the first half of extra time'),
    'shoot-out': scene('decider', 'Shoot-out', 'Kicks from the penalty mark, the deciding one to come'),
    'after-penalties': scene('finished', 'Decided on penalties', 'Level after extra time, decided by the shoot-out'),
    suspended: scene('stopped', 'Suspended', 'The floodlights have failed, the players are off'),
  },
  tell(open) {
    league(open())
    cup(open({ extraTime: true, shootout: true }))
  },
}

function league(match: Story) {
  match.start()
  match.at(3, 8)
  match.scene('kick-off')
  match.spread(23, { home: { shot: 2, corner: 2, foul: 2 }, away: { shot: 2, foul: 3, offside: 1 } })
  match.at(23, 11)
  match.fact('goal', home(11), { with: 9 })
  match.spread(34, { home: { foul: 1, yellowCard: 1 }, away: { shot: 2, corner: 1, shotOnTarget: 1 } })
  match.at(34, 27)
  match.scene('live')
  match.scene('suspended', 'suspended')
  match.spread(45, { home: { shot: 1, save: 1 }, away: { yellowCard: 1, corner: 2 } })
  match.at(46, 2)
  match.fact('penaltyGoal', away(11))
  match.at(47, 30)
  match.endPeriod()
  match.scene('half-time')
  match.period()
  match.spread(15, { home: { corner: 2, shot: 3 }, away: { foul: 2 } })
  match.at(15, 42)
  match.fact('goal', home(9), { with: 10 })
  match.wait(14)
  match.scene('goal')
  match.at(19, 5)
  match.fact('varDecision', home(), { value: 'penalty', details: { decision: 'penalty', reason: 'handball' } })
  match.wait(20)
  match.scene('penalty-awarded')
  match.wait(75)
  match.fact('penaltyMissed', home(9))
  match.at(24, 30)
  match.fact('redCard', away(3))
  match.wait(40)
  match.fact('substitution', away(13), { with: 8 })
  match.wait(15)
  match.scene('red-card')
  match.at(33, 51)
  match.fact('ownGoal', home(3))
  match.wait(10)
  match.scene('own-goal')
  match.fact('substitution', home(17), { with: 11 })
  match.spread(44, { home: { shot: 3, corner: 2, shotOnTarget: 2 }, away: { foul: 3, save: 2 } })
  match.at(48, 36)
  match.fact('goal', home(17), { with: 7 })
  match.wait(11)
  match.scene('late')
  match.at(50, 12)
  match.endPeriod()
  match.finish()
  match.scene('full-time')
}

function cup(match: Story) {
  match.start()
  match.spread(12, { home: { corner: 1, shot: 2 }, away: { foul: 2 } })
  match.at(12, 40)
  match.fact('goal', home(10), { with: 8 })
  match.at(46, 20)
  match.endPeriod()
  match.period()
  match.spread(25, { home: { foul: 3 }, away: { shot: 5, corner: 3 } })
  match.at(26, 3)
  match.fact('goal', away(11), { with: 9 })
  match.at(49)
  match.endPeriod()
  match.period()
  match.at(8, 22)
  match.fact('goal', home(16), { with: 10 })
  match.at(11, 5)
  match.scene('extra-time')
  match.at(15, 30)
  match.endPeriod()
  match.period()
  match.at(12, 58)
  match.fact('penaltyGoal', away(10))
  match.at(16)
  match.endPeriod()
  match.wait(240)
  match.fact('shootoutStart')
  const takers = [9, 10, 11, 8, 7]
  for (const [index, [one, other]] of [...'++ +- ++ -+ +'.split(' ')].entries()) {
    const place = takers[index] ?? 9
    match.wait(35)
    match.fact(one === '+' ? 'penaltyGoal' : 'penaltyMissed', home(place))
    if (other === undefined) continue
    match.wait(35)
    match.fact(other === '+' ? 'penaltyGoal' : 'penaltyMissed', away(place))
  }
  match.wait(20)
  match.scene('shoot-out')
  match.wait(15)
  match.fact('penaltyMissed', away(7))
  match.endPeriod()
  match.finish()
  match.scene('after-penalties')
}
