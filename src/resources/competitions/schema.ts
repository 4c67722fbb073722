import { z } from 'zod'
import { madeWith } from '../../schema/batch.ts'
import { MOST } from '../../schema/batch-sizes.ts'
import { Count, GfxName, Id, Name, NullableGfxName } from '../../schema/fields.ts'
import { paged, paging } from '../../schema/paging.ts'
import { Provider, providerFilters, withProviderFilters } from '../../schema/provider.ts'
import { Age, Gender, SportKey } from '../../schema/sport.ts'
import { Team } from '../teams/schema.ts'

/** spec: Competition */
export const Competition = z
  .object({ id: Id, name: Name, gfxName: NullableGfxName, sport: SportKey, dataProvider: Provider.optional() })
  .meta({ id: 'Competition' })

/** spec: Competition */
export const CompetitionWithAllIncludes = Competition.extend({ teams: z.array(Team).optional() }).meta({
  id: 'CompetitionWithAllIncludes',
})

/** spec: Competition */
export const CompetitionCreation = z
  .strictObject({
    name: Name,
    gfxName: GfxName.optional(),
    sport: SportKey,
    age: Age,
    gender: Gender,
    gradeId: Id,
  })
  .meta({ id: 'CompetitionCreation' })

/** Fields left out keep their value. The sport stays: matches are played by it. */
export const CompetitionUpdate = z
  .strictObject({
    name: Name.optional(),
    gfxName: NullableGfxName.optional(),
    age: Age.optional(),
    gender: Gender.optional(),
    gradeId: Id.optional(),
  })
  .meta({ id: 'CompetitionUpdate' })

const BatchItem = madeWith(
  z.strictObject({
    id: Id.optional(),
    ...CompetitionUpdate.shape,
    sport: SportKey.optional().meta({ description: 'Of a new competition; it stays' }),
  }),
  'name',
  'sport',
  'age',
  'gender',
  'gradeId',
).meta({ id: 'CompetitionBatchItem' })
/** Made without an id, else changed; all of them or none. */
export const CompetitionBatch = z
  .object({ competitions: z.array(BatchItem).min(1).max(MOST) })
  .meta({ id: 'CompetitionBatch' })
export const CompetitionBatchResult = z
  .object({ competitions: z.array(Competition) })
  .meta({ id: 'CompetitionBatchResult' })

/** spec: Competition */
export const Grade = z.object({ id: Id, name: z.string() }).meta({ id: 'Grade' })
export const GradeList = z.array(Grade).meta({ id: 'GradeList' })

export const CompetitionList = paged('competitions', Competition).meta({ id: 'CompetitionList' })
export const CompetitionTeams = z.object({ count: Count, teams: z.array(Team) }).meta({ id: 'CompetitionTeams' })

export const CompetitionParams = z.object({ competitionId: Id }).meta({ id: 'CompetitionParams' })
export const CompetitionTeamParams = z.object({ competitionId: Id, teamId: Id }).meta({ id: 'CompetitionTeamParams' })
export const CompetitionInclude = z
  .object({
    include: z
      .string()
      .regex(/^t(,t)*$/, { error: 'knows t (teams)' })
      .optional()
      .meta({ description: 'Comma-separated: t for teams' }),
  })
  .meta({ id: 'CompetitionInclude' })
export const CompetitionFilter = withProviderFilters(
  z.object({
    name: z.string().optional().meta({ description: 'Part of the name, in any case' }),
    sport: SportKey.optional(),
    ...providerFilters,
    ...paging,
  }),
).meta({ id: 'CompetitionFilter' })
