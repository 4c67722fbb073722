import { type Script, scene } from '../script.ts'
import { away, home } from '../story.ts'

export const rugbySevens: Script = {
  cast: {
    competition: ['Atoll Sevens Series', 'Atoll Sevens'],
    round: 'Cup quarter-final 3',
    date: '2026-05-30T02:40:00.000Z',
    venue: { name: 'Reef Stadium', city: 'Port Lagoon', country: 'Fiji', timezone: 'Pacific/Fiji' },
    pool: 'women',
    from: 28,
    clubs: {
      home: {
        name: 'Northern Atolls',
        gfxName: 'North Atolls',
        abbreviation: 'NAT',
        colours: ['#0a84a8', '#ffffff', '#ffffff', '#0a84a8'],
        coach: 'Litia Vakatawa',
      },
      away: {
        name: 'Fjordland Women',
        gfxName: 'Fjordland',
        abbreviation: 'FJO',
        colours: ['#b3132b', '#ffffff', '#14264a', '#ffffff'],
        coach: 'Ragnhild Sæther',
      },
    },
    positions:
      'P:forward HK:forward P:forward SH:back FH:back C:back W:back | P:forward HK:forward SH:back C:back W:back',
    captain: 4,
    officials: ['referee', 'assistantReferee', 'assistantReferee'],
    by: { try: [3, 6, 7], conversion: [5], conversionMissed: [5] },
  },
  scenes: {
    live: scene('live', 'First half', 'A converted try after four minutes'),
    try: scene('scored', 'Try just scored', 'Under the posts, the drop kick is to come'),
    'sin-bin': scene('discipline', 'Yellow card', 'Two minutes in the bin'),
    'half-time': scene('break', 'Half time', 'Two tries each'),
    late: scene('late', 'Try after the hooter', 'The clock is past seven minutes, the scores are level'),
    'full-time': scene('finished', 'Full time', 'Decided by the last conversion'),
    'extra-time': scene('decider', 'Sudden death', 'Extra time: the first points win'),
    suspended: scene('stopped', 'Suspended', 'Play has stopped for an injury that needs an ambulance'),
  },
  tell(open) {
    const match = open()
    match.start()
    match.at(2, 41)
    match.fact('try', home(7))
    match.wait(30)
    match.fact('conversion', home(5))
    match.at(4, 2)
    match.scene('live')
    match.scene('suspended', 'suspended')
    match.at(4, 58)
    match.fact('try', away(6))
    match.wait(9)
    match.scene('try')
    match.wait(22)
    match.fact('conversion', away(5))
    match.at(6, 30)
    match.fact('try', home(3))
    match.wait(28)
    match.fact('conversionMissed', home(5))
    match.at(7, 40)
    match.fact('try', away(7))
    match.wait(20)
    match.fact('conversionMissed', away(5))
    match.endPeriod()
    match.scene('half-time')
    match.period()
    match.at(2, 15)
    match.fact('yellowCard', away(2))
    match.wait(20)
    match.scene('sin-bin')
    match.at(3, 50)
    match.fact('try', home(6))
    match.wait(30)
    match.fact('conversionMissed', home(5))
    match.at(7, 31)
    match.fact('try', away(7))
    match.wait(12)
    match.scene('late')
    match.wait(30)
    match.fact('conversion', away(5))
    match.endPeriod()
    match.finish()
    match.scene('full-time')

    const suddenDeath = open({ extraTime: true, goldenGoal: true })
    suddenDeath.start()
    suddenDeath.spread(7, { home: { try: 2 }, away: { try: 1, scrum: 2 } })
    suddenDeath.endPeriod()
    suddenDeath.period()
    suddenDeath.spread(7, { home: { tackle: 6 }, away: { try: 1, tackle: 4 } })
    suddenDeath.endPeriod()
    suddenDeath.period()
    suddenDeath.at(1, 44)
    suddenDeath.scene('extra-time')
  },
}
