import { z } from 'zod'
import { Abbreviation, GfxFullName, GfxName, Id, Name, text } from '../../schema/fields.ts'
import { Provider } from '../../schema/provider.ts'
import { Age, Gender, SportKey } from '../../schema/sport.ts'

/** Any string, since only bindings demand a colour they can read. */
const Colour = text(0, 64)

/** spec: Team */
export const TeamStaffMember = z
  .object({ firstName: z.string(), lastName: z.string(), role: z.enum(['manager', 'assistantManager']) })
  .meta({ id: 'TeamStaffMember' })

/** spec: Team. What is not set is absent, never null. */
export const Team = z
  .object({
    id: Id,
    name: Name,
    gfxName: GfxName.optional(),
    gfxFullName: GfxFullName.optional(),
    abbreviation: Abbreviation.optional(),
    primaryBackgroundColor: z.string().optional(),
    primaryTextColor: z.string().optional(),
    secondaryBackgroundColor: z.string().optional(),
    secondaryTextColor: z.string().optional(),
    defaultVenueId: Id.optional(),
    sport: SportKey,
    clubId: Id.optional(),
    isHome: z.boolean().optional(),
    nonPlayerStaff: z.array(TeamStaffMember).optional(),
    dataProvider: Provider.optional(),
  })
  .meta({ id: 'Team' })

/** spec: Teams 1, with the colours and staff that Teams 2 sets. */
export const TeamCreation = z.object({
  name: Name,
  gfxName: GfxName.optional(),
  gfxFullName: GfxFullName.optional(),
  abbreviation: Abbreviation.optional(),
  sport: SportKey,
  age: Age.default('Unknown'),
  gender: Gender.default('Unknown'),
  gradeId: Id.optional(),
  competitionIds: z.array(Id).default([]),
  defaultVenueId: Id.optional(),
  primaryBackgroundColor: Colour.default('#000000'),
  primaryTextColor: Colour.default('#ffffff'),
  secondaryBackgroundColor: Colour.optional(),
  secondaryTextColor: Colour.optional(),
  nonPlayerStaff: z.array(TeamStaffMember).default([]),
})
