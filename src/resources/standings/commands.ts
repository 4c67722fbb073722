import type { TransactionSql } from 'postgres'
import type { z } from 'zod'
import { statisticsOf } from '../../../machines/sports.ts'
import type { RecordContext } from '../../context.ts'
import { type FieldErrors, forbidden, invalid } from '../../errors.ts'
import { ownRecords } from '../ownership.ts'
import { asRead, checkTarget, thisWrite } from '../target.ts'
import { changedAt, getStandings } from './queries.ts'
import type { Standings, StandingsAdjustmentsUpdate, StandingsRulesUpdate } from './schema.ts'

type Shown = z.output<typeof Standings>

/** Replaces the rules of a table; on air it follows. Throws notFound, forbidden, targetChanged, and invalid with every bad field. */
export function replaceStandingsRules(
  ctx: RecordContext,
  competitionId: number,
  { ifUnchangedSince, ...rules }: z.output<typeof StandingsRulesUpdate>,
): Promise<Shown> {
  return replace(ctx, competitionId, {
    type: 'replaceRules',
    event: 'standings.rulesReplaced',
    column: 'rules',
    value: rules,
    ifUnchangedSince,
    async faults(tx, sport) {
      const details: FieldErrors = {}
      for (const [index, one] of rules.tieBreakers.entries())
        if (rules.tieBreakers.indexOf(one) < index)
          details[`body.tieBreakers[${index}]`] = { message: 'named twice', value: one }
      const known = statisticsOf(sport)
      for (const [index, one] of rules.bonus.entries())
        if (one.type === 'statistic' && !known.includes(one.statistic))
          details[`body.bonus[${index}].statistic`] = { message: 'is none of this sport', value: one.statistic }
      const names = rules.groups.map(({ name }) => name)
      for (const [index, name] of names.entries())
        if (names.indexOf(name) < index) details[`body.groups[${index}].name`] = { message: 'named twice', value: name }
      const teams = rules.groups.flatMap(({ teamIds }, group) =>
        teamIds.map((teamId, index) => ({ teamId, path: `body.groups[${group}].teamIds[${index}]` })),
      )
      const seen = new Set<number>()
      for (const { teamId, path } of teams) {
        if (seen.has(teamId)) details[path] = { message: 'is in a group already', value: teamId }
        seen.add(teamId)
      }
      return { ...details, ...(await strangers(ctx, tx, competitionId, teams)) }
    },
  })
}

/** Replaces the points that teams are given or docked. Throws as `replaceStandingsRules` does. */
export function replaceStandingsAdjustments(
  ctx: RecordContext,
  competitionId: number,
  { ifUnchangedSince, adjustments }: z.output<typeof StandingsAdjustmentsUpdate>,
): Promise<Shown> {
  return replace(ctx, competitionId, {
    type: 'replaceAdjustments',
    event: 'standings.adjustmentsReplaced',
    column: 'adjustments',
    value: adjustments,
    ifUnchangedSince,
    faults: (tx) =>
      strangers(
        ctx,
        tx,
        competitionId,
        adjustments.map(({ teamId }, index) => ({ teamId, path: `body.adjustments[${index}].teamId` })),
      ),
  })
}

type Replacement = {
  type: string
  event: string
  column: 'rules' | 'adjustments'
  value: object
  ifUnchangedSince: string | undefined
  faults(tx: TransactionSql, sport: string): Promise<FieldErrors>
}

function replace(
  ctx: RecordContext,
  competitionId: number,
  { type, event, column, value, ifUnchangedSince, faults }: Replacement,
): Promise<Shown> {
  const command = { ref: `standings/${competitionId}`, type, asked: { [column]: value, ifUnchangedSince } }
  return ctx.db.write(ctx, command, async (tx) => {
    await ownRecords(ctx, tx, 'competition', [competitionId])
    await tx`
      insert into competition_standings (competition_id, updated_at)
      select id, created_at from competition where id = ${competitionId} on conflict do nothing`
    await tx`select from competition_standings where competition_id = ${competitionId} for update`
    const [stored] = await tx<{ unchanged: boolean; sport: string }[]>`
      select ${asRead(tx, ifUnchangedSince)} as unchanged, sport from (
        select c.sport, ${changedAt(tx)} as updated_at
        from competition c join competition_standings s on s.competition_id = c.id where c.id = ${competitionId}) as one`
    const { sport } = checkTarget(stored)
    const details = await faults(tx, sport)
    if (Object.keys(details).length > 0) throw invalid(details)
    await tx`
      update competition_standings set ${tx(column)} = ${JSON.stringify(value)}::text::jsonb, updated_at = greatest(
        ${thisWrite(tx)}, (select max(result_changed_at) + interval '1 millisecond' from match
          where organization_id = ${ctx.organizationId} and competition_id = ${competitionId}))
      where competition_id = ${competitionId}`
    return {
      result: await getStandings(ctx, competitionId, tx),
      events: [{ type: event, competitionId, [column]: value }],
    }
  })
}

type Named = { teamId: number; path: string }

/** Teams that are not of the competition, by the path of their id. Throws forbidden for another organization's. */
async function strangers(
  ctx: RecordContext,
  tx: TransactionSql,
  competitionId: number,
  named: readonly Named[],
): Promise<FieldErrors> {
  const ids = [...new Set(named.map(({ teamId }) => teamId))]
  const rows = await tx<{ id: number; isOwn: boolean; isIn: boolean }[]>`
    select id, organization_id = ${ctx.organizationId} as "isOwn", exists (
      select from competition_team x where x.competition_id = ${competitionId} and x.team_id = team.id) as "isIn"
    from team where id = any(${ids})`
  if (rows.some(({ isOwn }) => !isOwn)) throw forbidden()
  const members = new Set(rows.flatMap(({ id, isIn }) => (isIn ? [id] : [])))
  return Object.fromEntries(
    named.flatMap(({ teamId, path }) =>
      members.has(teamId) ? [] : [[path, { message: 'is not a team of the competition', value: teamId }]],
    ),
  )
}
