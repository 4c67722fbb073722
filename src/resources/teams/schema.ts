import { z } from 'zod'
import { madeWith } from '../../schema/batch.ts'
import { MOST } from '../../schema/batch-sizes.ts'
import { Abbreviation, GfxFullName, GfxName, Id, Name, text } from '../../schema/fields.ts'
import { paged, paging } from '../../schema/paging.ts'
import { Provider, providerFilters, withProviderFilters } from '../../schema/provider.ts'
import { Age, Gender, SportKey } from '../../schema/sport.ts'

/** Any string, since only bindings demand a colour they can read. */
export const Colour = text(0, 64)

/** spec: Team */
export const TeamStaffMember = z
  .object({ firstName: z.string(), lastName: z.string(), role: z.enum(['manager', 'assistantManager']) })
  .meta({ id: 'TeamStaffMember' })

/** As it may be written: the specification bounds neither names nor list, a renderer must carry them all. */
const Staff = z.array(TeamStaffMember.extend({ firstName: text(0, 255), lastName: text(0, 255) })).max(100)

/** spec: Team. Values that are not set are absent, never null. */
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
    logoUrl: z.string().optional().meta({ description: 'The logo of the team, else of its club; on team routes only' }),
    nonPlayerStaff: z.array(TeamStaffMember).optional(),
    dataProvider: Provider.optional(),
  })
  .meta({ id: 'Team' })

/** Colours that a team and its club may set; a team without a value of its own has its club's. */
export const colours = {
  primaryBackgroundColor: Colour.optional(),
  primaryTextColor: Colour.optional(),
  secondaryBackgroundColor: Colour.optional(),
  secondaryTextColor: Colour.optional(),
}

const optionalTeamFields = {
  gfxName: GfxName.optional(),
  gfxFullName: GfxFullName.optional(),
  abbreviation: Abbreviation.optional(),
  gradeId: Id.optional(),
  defaultVenueId: Id.optional(),
  ...colours,
}

/** spec: Teams 1, with the colours and staff that Teams 2 sets, and the club. */
export const TeamCreation = z
  .object({
    name: Name,
    sport: SportKey,
    age: Age.default('Unknown'),
    gender: Gender.default('Unknown'),
    competitionIds: z.array(Id).max(1_000).default([]),
    clubId: Id.optional(),
    nonPlayerStaff: Staff.default([]),
    ...optionalTeamFields,
  })
  .meta({ id: 'TeamCreation' })

/** Fields left out keep their value. spec: Teams 2 */
export const TeamUpdate = z
  .object({
    name: Name.optional(),
    age: Age.optional(),
    gender: Gender.optional(),
    clubId: Id.nullable().optional().meta({ description: 'null takes the team out of its club' }),
    nonPlayerStaff: Staff.optional(),
    ...optionalTeamFields,
  })
  .meta({ id: 'TeamUpdate' })

const BatchItem = madeWith(
  z.object({
    id: Id.optional(),
    ...TeamUpdate.shape,
    sport: SportKey.optional().meta({ description: 'Of a new team; it stays' }),
    competitionIds: z.array(Id).max(1_000).optional().meta({ description: 'It plays in these, too; it leaves none' }),
  }),
  'name',
  'sport',
).meta({ id: 'TeamBatchItem' })
/** Made without an id, else changed; all of them or none. */
export const TeamBatch = z.object({ teams: z.array(BatchItem).min(1).max(MOST) }).meta({ id: 'TeamBatch' })
export const TeamBatchResult = z.object({ teams: z.array(Team) }).meta({ id: 'TeamBatchResult' })

export const TeamParams = z.object({ teamId: Id }).meta({ id: 'TeamParams' })
export const TeamList = paged('teams', Team).meta({ id: 'TeamList' })
export const TeamFilter = withProviderFilters(
  z.object({
    name: z.string().optional().meta({ description: 'Part of the name, in any case' }),
    sport: SportKey.optional(),
    competitionId: Id.optional().meta({ description: 'Only teams of this competition' }),
    clubId: Id.optional().meta({ description: 'Only teams of this club' }),
    ...providerFilters,
    ...paging,
  }),
).meta({ id: 'TeamFilter' })
