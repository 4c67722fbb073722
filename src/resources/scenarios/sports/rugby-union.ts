import { type Script, scene } from '../script.ts'
import { away, home } from '../story.ts'

export const UNION_POSITIONS =
  'LP:forward HK:forward TP:forward L:forward L:forward BF:forward OF:forward N8:forward SH:back FH:back LW:back IC:back OC:back RW:back FB:back | ' +
  'HK:forward LP:forward TP:forward L:forward BR:forward SH:back FH:back UB:back'

export const rugbyUnion: Script = {
  cast: {
    competition: ['Southern Lakes Championship', 'Southern Lakes'],
    round: 'Semi-final',
    date: '2026-08-22T07:05:00.000Z',
    venue: {
      name: 'Te Awamutu Park',
      city: 'Lake Harrington',
      country: 'New Zealand',
      timezone: 'Pacific/Auckland',
    },
    pool: 'men',
    from: 18,
    clubs: {
      home: {
        name: 'Lake Harrington Mariners',
        gfxName: 'Lake Harrington',
        gfxFullName: 'Lake Harrington Mariners',
        abbreviation: 'LHM',
        colours: ['#10264d', '#ffffff', '#9fd3e6', '#10264d'],
        coach: 'Ross Te Aho',
      },
      away: {
        name: 'Kōwhai Valley',
        gfxName: 'Kōwhai Valley',
        abbreviation: 'KŌW',
        colours: ['#e5b80b', '#1c1a12', '#1c1a12', '#e5b80b'],
        coach: 'Mele Fonoti',
      },
    },
    positions: UNION_POSITIONS,
    captain: 8,
    officials: ['referee', 'assistantReferee', 'assistantReferee', 'videoReferee'],
    by: {
      scrum: [1, 2, 3],
      lineout: [4, 5],
      tackle: [6, 7, 8, 12, 13],
      knockOn: [11, 13, 15],
      penaltyConceded: [1, 3, 6, 7],
    },
  },
  scenes: {
    live: scene('live', 'First half', 'One try and two penalties after 28 minutes'),
    try: scene('scored', 'Try just scored', 'The conversion is to come'),
    'sin-bin': scene('discipline', 'Yellow card', 'A flanker is in the sin bin, the penalty is kicked'),
    'half-time': scene('break', 'Half time', 'A penalty on the hooter has levelled the match'),
    late: scene('late', 'Drop goal after 80 minutes', 'The clock is red, the lead has changed'),
    'full-time': scene('finished', 'Full time', 'One point between the sides'),
    'extra-time': scene('decider', 'Extra time', 'Level after 80 minutes, a penalty in extra time'),
    suspended: scene('stopped', 'Suspended', 'Lightning near the ground'),
  },
  tell(open) {
    const match = open()
    match.start()
    match.spread(8, { home: { tackle: 6, scrum: 1 }, away: { lineout: 2, penaltyConceded: 1 } })
    match.fact('penaltyGoal', home(10))
    match.spread(17, { home: { tackle: 9, knockOn: 1 }, away: { lineout: 1, scrum: 1 } })
    match.fact('try', away(13))
    match.wait(80)
    match.fact('conversion', away(10))
    match.at(25, 30)
    match.fact('penaltyGoal', home(10))
    match.at(28, 9)
    match.scene('live')
    match.scene('suspended', 'suspended')
    match.spread(39, { home: { tackle: 8, lineout: 3 }, away: { tackle: 11, scrum: 2 } })
    match.at(40, 55)
    match.fact('dropGoal', home(10))
    match.at(41, 20)
    match.fact('penaltyGoal', away(10))
    match.at(42, 31)
    match.fact('penaltyGoal', home(15))
    match.at(43, 2)
    match.fact('penaltyConceded', home(3))
    match.endPeriod()
    match.scene('half-time')
    match.period()
    match.at(11, 20)
    match.fact('yellowCard', away(6))
    match.wait(60)
    match.fact('penaltyGoal', home(10))
    match.wait(25)
    match.scene('sin-bin')
    match.spread(22, { home: { tackle: 7, scrum: 2 }, away: { tackle: 13, lineout: 2 } })
    match.at(22, 48)
    match.fact('try', away(11), { with: 9 })
    match.wait(18)
    match.scene('try')
    match.wait(60)
    match.fact('conversion', away(10))
    match.fact('substitution', home(17), { with: 1 })
    match.spread(39, { home: { lineout: 4, tackle: 5 }, away: { tackle: 12, penaltyConceded: 2 } })
    match.at(40, 47)
    match.fact('dropGoal', home(22))
    match.wait(15)
    match.scene('late')
    match.at(42, 3)
    match.endPeriod()
    match.finish()
    match.scene('full-time')

    const knockOut = open({ extraTime: true })
    knockOut.start()
    knockOut.at(21)
    knockOut.fact('try', home(8))
    knockOut.wait(80)
    knockOut.fact('conversionMissed', home(10))
    knockOut.at(36)
    knockOut.fact('penaltyGoal', away(10))
    knockOut.at(40, 30)
    knockOut.endPeriod()
    knockOut.period()
    knockOut.spread(32, { home: { tackle: 20, penaltyGoal: 1 }, away: { tackle: 23, penaltyGoal: 0 } })
    knockOut.fact('try', away(14))
    knockOut.wait(70)
    knockOut.fact('conversionMissed', away(10))
    knockOut.at(41)
    knockOut.endPeriod()
    knockOut.period()
    knockOut.at(4, 20)
    knockOut.fact('penaltyGoal', away(10))
    knockOut.at(6, 2)
    knockOut.scene('extra-time')
  },
}
