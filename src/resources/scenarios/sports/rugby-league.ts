import { type Script, scene } from '../script.ts'
import { away, home } from '../story.ts'

export const rugbyLeague: Script = {
  cast: {
    competition: ['Harbour Bridge Rugby League Premiership', 'Harbour Bridge RL'],
    round: 'Round 24',
    date: '2026-08-14T09:50:00.000Z',
    venue: { name: 'Ironbark Oval', city: 'Ironbark', country: 'Australia', timezone: 'Australia/Sydney' },
    pool: 'men',
    from: 30,
    clubs: {
      home: {
        name: 'Ironbark Brumbies',
        gfxName: 'Ironbark',
        gfxFullName: 'Ironbark Brumbies',
        abbreviation: 'IRO',
        colours: ['#5b2333', '#ffffff', '#d9b44a', '#2b0f18'],
        coach: 'Wayne Carmody',
      },
      away: {
        name: 'Coral Bay Sea Eagles',
        gfxName: 'Coral Bay',
        gfxFullName: 'Coral Bay Sea Eagles',
        abbreviation: 'CBSE',
        colours: ['#0d7f7a', '#ffffff', '#ffffff', '#0d7f7a'],
        coach: 'Sione Taufahema',
      },
    },
    positions:
      'FB:back RW:back RC:back LC:back LW:back FE:back HB:back P:forward HK:forward P:forward SR:forward SR:forward LK:forward | ' +
      'IC:interchange IC:interchange IC:interchange IC:interchange IC:interchange IC:interchange',
    captain: 7,
    officials: ['referee', 'assistantReferee', 'assistantReferee', 'videoReferee'],
    by: { try: [2, 3, 4, 5, 1], tackle: [8, 9, 11, 12, 13], setRestart: [8, 10], error: [1, 2, 5] },
  },
  scenes: {
    live: scene('live', 'First half', 'One try after 25 minutes'),
    try: scene('scored', 'Try just scored', 'In the corner, the kick from touch is to come'),
    'sin-bin': scene('discipline', 'Sin bin', 'Ten minutes for a professional foul'),
    'half-time': scene('break', 'Half time', 'A penalty goal has opened a lead'),
    late: scene('late', 'Field goal', 'Level with a minute to play, then one point'),
    'full-time': scene('finished', 'Full time', 'A field goal was the difference'),
    'golden-point': scene('decider', 'Golden point', 'Extra time: the next points win'),
    suspended: scene('stopped', 'Suspended', 'A power cut'),
  },
  tell(open) {
    const match = open()
    match.start()
    match.spread(19, { home: { tackle: 14, error: 1 }, away: { tackle: 17, setRestart: 1 } })
    match.fact('try', home(2), { with: 7 })
    match.wait(75)
    match.fact('conversion', home(7))
    match.at(25, 13)
    match.scene('live')
    match.scene('suspended', 'suspended')
    match.at(31, 40)
    match.fact('try', away(5))
    match.wait(16)
    match.scene('try')
    match.wait(60)
    match.fact('conversion', away(6))
    match.at(38, 44)
    match.fact('penaltyGoal', home(7))
    match.at(40)
    match.endPeriod()
    match.scene('half-time')
    match.period()
    match.at(12, 6)
    match.fact('sinBin', home(11))
    match.wait(22)
    match.scene('sin-bin')
    match.at(18, 52)
    match.fact('try', away(3))
    match.wait(70)
    match.fact('conversionMissed', away(6))
    match.spread(33, { home: { tackle: 13, interchange: 2 }, away: { tackle: 11, interchange: 2, error: 2 } })
    match.fact('penaltyGoal', home(7))
    match.at(38, 57)
    match.fact('fieldGoal', home(7), { points: 1 })
    match.wait(9)
    match.scene('late')
    match.at(40)
    match.endPeriod()
    match.finish()
    match.scene('full-time')

    const golden = open({ extraTime: true, goldenGoal: true })
    golden.start()
    golden.spread(40, { home: { try: 2, conversion: 1, tackle: 20 }, away: { try: 1, conversion: 1, tackle: 22 } })
    golden.endPeriod()
    golden.period()
    golden.spread(40, { home: { penaltyGoal: 1, tackle: 21 }, away: { try: 1, conversion: 1, tackle: 19 } })
    golden.endPeriod()
    golden.period()
    golden.at(3, 16)
    golden.scene('golden-point')
  },
}
