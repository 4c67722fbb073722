import type { z } from 'zod'
import type { RecordContext } from '../../context.ts'
import { invalid, notFound } from '../../errors.ts'
import { changedColumns } from '../changed-columns.ts'
import { said, writeEach } from '../each.ts'
import { checkGrade, ownRecords } from '../ownership.ts'
import { matchUses, removalOf } from '../removal.ts'
import { getCompetition, listCompetitionTeams } from './queries.ts'
import { type Competition, type CompetitionBatch, CompetitionCreation, type CompetitionUpdate } from './schema.ts'

const COLUMNS = { name: 'name', gfxName: 'gfx_name', age: 'age', gender: 'gender', gradeId: 'grade_id' } as const

export function createCompetition(
  ctx: RecordContext,
  asked: z.output<typeof CompetitionCreation>,
): Promise<z.output<typeof Competition>> {
  return ctx.db.write(ctx, { ref: 'competition/new', type: 'create', asked }, async (tx) => {
    await checkGrade(tx, asked.gradeId)
    const [row] = await tx<{ id: number }[]>`
      insert into competition (organization_id, name, gfx_name, sport, age, gender, grade_id)
      values (${ctx.organizationId}, ${asked.name}, ${asked.gfxName ?? null}, ${asked.sport}, ${asked.age},
        ${asked.gender}, ${asked.gradeId})
      returning id`
    if (!row) throw new Error('an insert returned no row')
    return {
      ref: `competition/${row.id}`,
      result: await getCompetition(ctx, row.id, tx),
      events: [{ type: 'competition.created', competitionId: row.id, name: asked.name }],
    }
  })
}

/** Changes the fields that were sent, on air too. */
export function updateCompetition(
  ctx: RecordContext,
  competitionId: number,
  asked: z.output<typeof CompetitionUpdate>,
): Promise<z.output<typeof Competition>> {
  const ref = `competition/${competitionId}`
  return ctx.db.write(ctx, { ref, type: 'update', asked }, async (tx) => {
    const before = await getCompetition(ctx, competitionId, tx)
    if (asked.gradeId !== undefined) await checkGrade(tx, asked.gradeId)
    const changed = changedColumns(COLUMNS, asked)
    if (Object.keys(changed).length === 0) return { result: before, events: [] }
    await tx`update competition set ${tx(changed)}, updated_at = clock_timestamp() where id = ${competitionId}`
    return {
      result: await getCompetition(ctx, competitionId, tx),
      events: [{ type: 'competition.updated', competitionId, changes: asked }],
      outbox: [{ kind: 'reaction', payload: { event: 'competition.updated', ref } }],
    }
  })
}

/** Makes and changes competitions, all of them or none; the sport of one that is there is left as it is. Throws as `writeEach`. */
export const writeCompetitions = async (ctx: RecordContext, { competitions }: z.output<typeof CompetitionBatch>) => ({
  competitions: await writeEach(
    ctx,
    { member: 'competitions', items: competitions },
    (each, { id, sport, ...asked }) =>
      id === undefined
        ? createCompetition(each, CompetitionCreation.parse(said({ sport, ...asked })))
        : updateCompetition(each, id, asked),
  ),
})

/** Assigns a team; once is enough. Answers the teams of the competition. */
export function addCompetitionTeam(ctx: RecordContext, competitionId: number, teamId: number) {
  const command = { ref: `competition/${competitionId}`, type: 'addTeam', asked: { teamId } }
  return ctx.db.write(ctx, command, async (tx) => {
    await getCompetition(ctx, competitionId, tx)
    await ownRecords(ctx, tx, 'team', [teamId])
    const added = await tx`
      insert into competition_team (competition_id, team_id) values (${competitionId}, ${teamId})
      on conflict do nothing returning team_id`
    return {
      result: await listCompetitionTeams(ctx, competitionId, tx),
      events: added.length > 0 ? [{ type: 'competition.teamAdded', competitionId, teamId }] : [],
    }
  })
}

/** Takes a team out. Throws notFound when it is not in, invalid when it plays in a match of the competition. */
export function removeCompetitionTeam(ctx: RecordContext, competitionId: number, teamId: number): Promise<undefined> {
  const command = { ref: `competition/${competitionId}`, type: 'removeTeam', asked: { teamId } }
  return ctx.db.write(ctx, command, async (tx) => {
    await getCompetition(ctx, competitionId, tx)
    await ownRecords(ctx, tx, 'team', [teamId])
    const removed = await tx`
      delete from competition_team where competition_id = ${competitionId} and team_id = ${teamId} returning team_id`
    if (removed.length === 0) throw notFound()
    const [playing] = await tx`
      select from match_competitor c join match m on m.id = c.match_id
      where c.team_id = ${teamId} and m.competition_id = ${competitionId} limit 1`
    if (playing) throw invalid({ 'path.teamId': { message: 'plays in a match of the competition', value: teamId } })
    return { result: undefined, events: [{ type: 'competition.teamRemoved', competitionId, teamId }] }
  })
}

/** Its theme profiles go with it; teams stay. Throws inUse while a match is of the competition. */
export const deleteCompetition = removalOf('competition', (ctx, tx, id) =>
  matchUses(ctx, tx, tx`m.competition_id = ${id}`),
)
