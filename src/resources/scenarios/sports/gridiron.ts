import { type Script, scene } from '../script.ts'
import { away, home, type Story, type Who } from '../story.ts'

const OFFENCE =
  'QB:offence RB:offence WR:offence WR:offence TE:offence LT:offence LG:offence C:offence RG:offence RT:offence K:special | ' +
  'DE:defence DT:defence LB:defence LB:defence CB:defence CB:defence S:defence P:special WR:offence RB:offence QB:offence LS:special'

export const gridiron: Script = {
  cast: {
    competition: ['Continental Gridiron Conference', 'Continental'],
    round: 'Week 11',
    date: '2026-11-15T18:00:00.000Z',
    venue: { name: 'Foundry Field', city: 'Steelhaven', country: 'United States', timezone: 'America/Chicago' },
    pool: 'men',
    from: 44,
    clubs: {
      home: {
        name: 'Steelhaven Ironmongers',
        gfxName: 'Ironmongers',
        gfxFullName: 'Steelhaven Ironmongers',
        abbreviation: 'STH',
        colours: ['#2b2f36', '#ffffff', '#f47b20', '#1b1208'],
        coach: 'Terrence Oyelowo',
      },
      away: {
        name: 'Bayou City Herons',
        gfxName: 'Bayou City',
        gfxFullName: 'Bayou City Herons',
        abbreviation: 'BCH',
        colours: ['#3f1f69', '#ffffff', '#c7a6e8', '#22103a'],
        coach: 'Luc Arceneaux',
      },
    },
    positions: OFFENCE,
    numbers: {
      home: '07 24 11 81 88 72 66 55 64 74 3 99 92 54 51 21 29 33 4 18 28 12 47',
      away: '12 32 1 14 85 78 60 50 69 77 9 91 97 58 44 20 00 31 5 83 22 16 48',
    },
    captain: 1,
    officials: ['referee', 'umpire', 'umpire'],
    by: { sack: [12, 13, 14], punt: [19], firstDown: [2, 3, 4, 5], flag: [6, 10, 16] },
  },
  scenes: {
    live: scene('live', 'Second quarter', 'Third and seven on the 38-yard line'),
    touchdown: scene('scored', 'Touchdown just scored', 'The extra point is to come'),
    'field-goal': scene('scored', 'Field goal just scored', 'From 52 yards'),
    flag: scene('discipline', 'Flag on the play', 'Holding, ten yards back'),
    'half-time': scene('break', 'Half time', 'Seven points between the sides'),
    late: scene('late', 'Two-minute drill', 'First and goal, six points behind'),
    'full-time': scene('finished', 'Final score', 'Decided by a two-point conversion'),
    overtime: scene('decider', 'Overtime', 'Level after four quarters'),
    suspended: scene('stopped', 'Suspended', 'Thunderstorm, the teams are inside'),
  },
  tell(open) {
    season(open())
    const tied = open()
    tied.start()
    for (let number = 1; number <= 4; number++) {
      if (number > 1) tied.period()
      tied.at(6)
      touchdown(tied, number % 2 === 1 ? home(3) : away(3))
      tied.at(15)
      tied.endPeriod()
    }
    tied.period()
    tied.at(2, 48)
    down(tied, away(), 2, 4, 61)
    tied.scene('overtime')
  },
}

const down = (match: Story, who: Who, number: number, distance: number, yardLine: number) =>
  match.fact('down', who, { details: { down: number, distance, yardLine } })

function touchdown(match: Story, who: Who) {
  match.fact('touchdown', who, { with: 1 })
  match.fact('clockStop')
  match.wait(40)
  match.fact('extraPoint', { side: who.side, place: 11 })
  match.fact('clockStart')
}

function season(match: Story) {
  match.start()
  match.spread(6, { home: { firstDown: 3 }, away: { sack: 1, flag: 1 } })
  touchdown(match, home(4))
  match.spread(15, { home: { punt: 1 }, away: { firstDown: 2, punt: 1 } })
  match.endPeriod()
  match.period()
  match.at(4, 30)
  match.fact('fieldGoal', away(11), { details: { yards: 52 } })
  match.wait(6)
  match.scene('field-goal')
  match.at(6, 51)
  down(match, home(), 3, 7, 38)
  match.scene('live')
  match.fact('clockStop')
  match.scene('suspended', 'suspended')
  match.wait(1_800)
  match.fact('clockStart')
  match.at(11)
  touchdown(match, away(3))
  match.at(14, 40)
  touchdown(match, home(5))
  match.at(15)
  match.endPeriod()
  match.scene('half-time')
  match.period()
  match.at(5, 12)
  match.fact('flag', home(6), { details: { kind: 'holding', yards: 10 } })
  match.fact('clockStop')
  down(match, home(), 2, 20, 27)
  match.wait(15)
  match.scene('flag')
  match.fact('clockStart')
  match.at(9)
  match.fact('interception', away(17))
  match.fact('possession', away())
  match.at(12, 20)
  match.fact('touchdown', away(2))
  match.wait(10)
  match.scene('touchdown')
  match.wait(25)
  match.fact('extraPoint', away(11))
  match.at(15)
  match.endPeriod()
  match.period()
  match.at(7)
  match.fact('fieldGoal', away(11), { details: { yards: 31 } })
  match.at(13, 44)
  match.fact('timeout', home())
  match.wait(30)
  match.fact('clockStart')
  match.at(14, 16)
  down(match, home(), 1, 8, 8)
  match.scene('late')
  match.at(14, 39)
  match.fact('touchdown', home(3), { with: 1 })
  match.fact('clockStop')
  match.wait(40)
  match.fact('twoPointConversion', home(5), { with: 1 })
  match.fact('clockStart')
  match.at(15)
  match.endPeriod()
  match.finish()
  match.scene('full-time')
}
