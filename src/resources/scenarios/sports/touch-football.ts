import { type Script, scene } from '../script.ts'
import { away, home } from '../story.ts'

export const touchFootball: Script = {
  cast: {
    competition: ['Mixed Open Touch Nationals', 'Touch Nationals'],
    round: 'Grand final',
    date: '2026-03-14T03:30:00.000Z',
    venue: {
      name: 'Banksia Fields',
      city: 'Coffs Landing',
      country: 'Australia',
      timezone: 'Australia/Sydney',
      courts: ['Field 1'],
    },
    pool: 'women',
    from: 12,
    clubs: {
      home: {
        name: 'Parramoor Touch',
        gfxName: 'Parramoor',
        abbreviation: 'PAR',
        colours: ['#1d4fa3', '#ffffff', '#f6c433', '#14264a'],
        coach: 'Dane Kauwhata',
      },
      away: {
        name: 'Sunshine Coast Currents',
        gfxName: 'Currents',
        gfxFullName: 'Sunshine Coast Currents',
        abbreviation: 'SCC',
        colours: ['#f26b21', '#1b1208', '#ffffff', '#f26b21'],
        coach: 'Kirra Blackwood',
      },
    },
    positions:
      'M:middle M:middle L:link L:link W:wing W:wing | M:middle M:middle L:link L:link W:wing W:wing W:wing L:link',
    captain: 1,
    officials: ['referee', 'referee', 'referee'],
    by: { touchdown: [3, 4, 5, 6], penalty: [1, 2] },
  },
  scenes: {
    live: scene('live', 'First half', 'Two touchdowns each, the clock runs down'),
    touchdown: scene('scored', 'Touchdown just scored', 'The home side leads'),
    'sin-bin': scene('discipline', 'Sin bin', 'One player short'),
    'half-time': scene('break', 'Half time', 'One touchdown between the sides'),
    late: scene('late', 'Last minute', 'Level with seconds to play'),
    'full-time': scene('finished', 'Full time', 'The final is won by one'),
    'drop-off': scene('decider', 'Drop-off', 'Each side gives up a player until somebody scores'),
    suspended: scene('stopped', 'Suspended', 'Extreme heat'),
  },
  tell(open) {
    const match = open()
    match.start()
    match.spread(12, { home: { touchdown: 2, penalty: 2 }, away: { touchdown: 2, penalty: 3 } })
    match.at(12, 44)
    match.scene('live')
    match.scene('suspended', 'suspended')
    match.at(15, 33)
    match.fact('touchdown', home(5), { with: 3 })
    match.wait(8)
    match.scene('touchdown')
    match.at(20)
    match.endPeriod()
    match.scene('half-time')
    match.period()
    match.at(7, 10)
    match.fact('sinBin', home(1))
    match.wait(14)
    match.scene('sin-bin')
    match.spread(16, { home: { touchdown: 1, penalty: 1 }, away: { touchdown: 1, forcedSubstitution: 1 } })
    match.at(19, 22)
    match.fact('touchdown', away(6), { with: 4 })
    match.wait(10)
    match.scene('late')
    match.at(19, 55)
    match.fact('touchdown', home(6))
    match.at(20)
    match.endPeriod()
    match.finish()
    match.scene('full-time')

    const dropOff = open({ extraTime: true, goldenGoal: true })
    dropOff.start()
    dropOff.spread(20, { home: { touchdown: 3 }, away: { touchdown: 2 } })
    dropOff.endPeriod()
    dropOff.period()
    dropOff.spread(20, { home: { touchdown: 2 }, away: { touchdown: 3 } })
    dropOff.endPeriod()
    dropOff.period()
    dropOff.at(1, 12)
    dropOff.scene('drop-off')
  },
}
