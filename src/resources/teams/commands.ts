import type { TransactionSql } from 'postgres'
import type { z } from 'zod'
import type { RecordContext } from '../../context.ts'
import { changedColumns } from '../changed-columns.ts'
import { said, writeEach } from '../each.ts'
import { graphicUses } from '../graphic-uses.ts'
import { checkGrade, ownRecords } from '../ownership.ts'
import { matchUses, removalOf } from '../removal.ts'
import { getTeam } from './queries.ts'
import { type Team, type TeamBatch, TeamCreation, type TeamUpdate } from './schema.ts'

const COLUMNS = {
  name: 'name',
  gfxName: 'gfx_name',
  gfxFullName: 'gfx_full_name',
  abbreviation: 'abbreviation',
  age: 'age',
  gender: 'gender',
  gradeId: 'grade_id',
  defaultVenueId: 'default_venue_id',
  clubId: 'club_id',
  primaryBackgroundColor: 'primary_background_color',
  primaryTextColor: 'primary_text_color',
  secondaryBackgroundColor: 'secondary_background_color',
  secondaryTextColor: 'secondary_text_color',
} as const

type Shape = z.output<typeof Team>
type Asked = z.output<typeof TeamUpdate>

const checkNamed = async (ctx: RecordContext, tx: TransactionSql, { defaultVenueId, clubId, gradeId }: Asked) => {
  if (defaultVenueId !== undefined) await ownRecords(ctx, tx, 'venue', [defaultVenueId])
  if (clubId != null) await ownRecords(ctx, tx, 'club', [clubId])
  if (gradeId !== undefined) await checkGrade(tx, gradeId)
}

const columnsOf = (tx: TransactionSql, asked: Asked) => ({
  ...changedColumns(COLUMNS, asked),
  ...(asked.nonPlayerStaff && { non_player_staff: tx.json(asked.nonPlayerStaff) }),
})

/** Creates a team. Competitions, venue and club must be the organization's. spec: Teams 1 */
export function createTeam(ctx: RecordContext, asked: z.output<typeof TeamCreation>): Promise<Shape> {
  return ctx.db.write(ctx, { ref: 'team/new', type: 'create', asked }, async (tx) => {
    await ownRecords(ctx, tx, 'competition', asked.competitionIds)
    await checkNamed(ctx, tx, asked)
    const values = { organization_id: ctx.organizationId, sport: asked.sport, ...columnsOf(tx, asked) }
    const [team] = await tx<{ id: number }[]>`insert into team ${tx(values)} returning id`
    if (!team) throw new Error('an insert returned no row')
    await tx`insert into competition_team (competition_id, team_id)
      select distinct unnest(${asked.competitionIds}::int[]), ${team.id}::int`
    return {
      ref: `team/${team.id}`,
      result: await getTeam(ctx, team.id, tx),
      events: [{ type: 'team.created', teamId: team.id, name: asked.name }],
    }
  })
}

/** Changes the fields that were sent, on air too; `nonPlayerStaff` replaces the whole list. spec: Teams 2 */
export function updateTeam(ctx: RecordContext, teamId: number, asked: Asked): Promise<Shape> {
  const ref = `team/${teamId}`
  return ctx.db.write(ctx, { ref, type: 'update', asked }, async (tx) => {
    const before = await getTeam(ctx, teamId, tx)
    await checkNamed(ctx, tx, asked)
    const changed = columnsOf(tx, asked)
    if (Object.keys(changed).length === 0) return { result: before, events: [] }
    await tx`update team set ${tx(changed)}, updated_at = clock_timestamp() where id = ${teamId}`
    return {
      result: await getTeam(ctx, teamId, tx),
      events: [{ type: 'team.updated', teamId, changes: asked }],
      outbox: [{ kind: 'reaction', payload: { event: 'team.updated', ref } }],
    }
  })
}

/** Makes and changes teams, all of them or none. Throws as `writeEach`. */
export const writeTeams = async (ctx: RecordContext, { teams }: z.output<typeof TeamBatch>) => ({
  teams: await writeEach(ctx, { member: 'teams', items: teams }, async (each, { id, ...asked }) => {
    if (id === undefined) return createTeam(each, TeamCreation.parse(said(asked)))
    const { sport: _, competitionIds = [], ...changed } = asked
    const team = await updateTeam(each, id, changed)
    if (competitionIds.length > 0) await playIn(each, id, competitionIds)
    return team
  }),
})

/** Puts a team into competitions; once is enough. However many, they are two statements. */
const playIn = (ctx: RecordContext, teamId: number, competitionIds: readonly number[]) =>
  ctx.db.write(ctx, { ref: `team/${teamId}`, type: 'playIn' }, async (tx) => {
    await ownRecords(ctx, tx, 'competition', competitionIds)
    const added = await tx<{ competitionId: number }[]>`
      insert into competition_team (competition_id, team_id)
      select distinct unnest(${[...competitionIds]}::int[]), ${teamId}::int
      on conflict do nothing returning competition_id as "competitionId"`
    // as when each was added by itself
    const also = added.map(({ competitionId }) => ({
      ...{ ref: `competition/${competitionId}`, type: 'addTeam', asked: { teamId } },
      events: [{ type: 'competition.teamAdded', competitionId, teamId }],
    }))
    return { result: undefined, events: [], also }
  })

/** Its roster and its place in competitions go with it; the players stay. Throws inUse while a match or a graphic names the team. */
export const deleteTeam = removalOf('team', async (ctx, tx, id) => [
  ...(await matchUses(
    ctx,
    tx,
    tx`(exists (select from match_competitor c where c.match_id = m.id and c.team_id = ${id})
      or exists (select from lineup l where l.match_id = m.id and l.team_id = ${id}))`,
  )),
  ...(await graphicUses(ctx, tx, { type: 'team', id })),
])
