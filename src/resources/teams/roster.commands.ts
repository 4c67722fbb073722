import type { TransactionSql } from 'postgres'
import type { z } from 'zod'
import type { RecordContext } from '../../context.ts'
import { type FieldErrors, invalid, notFound } from '../../errors.ts'
import { changedColumns } from '../changed-columns.ts'
import { ownRecords } from '../ownership.ts'
import { getRosterPlayer, rosterPlayers } from './roster.queries.ts'
import type {
  RosterBatch,
  RosterEntry,
  RosterPlayer,
  RosterPlayerCreation,
  RosterPlayerUpdate,
} from './roster.schema.ts'

type Player = z.output<typeof RosterPlayer>

/** Creates a player on the roster of a team. spec: Teams 6 */
export function createRosterPlayer(
  ctx: RecordContext,
  teamId: number,
  asked: z.output<typeof RosterPlayerCreation>,
): Promise<Player> {
  return ctx.db.write(ctx, { ref: `team/${teamId}`, type: 'createPlayer', asked }, async (tx) => {
    await ownRecords(ctx, tx, 'team', [teamId])
    const playerId = await insertPlayer(ctx, tx, teamId, asked)
    const event = { type: 'player.created', playerId, teamId }
    return {
      result: await getRosterPlayer(ctx, teamId, playerId, tx),
      events: [event],
      // no graphic shows a player who is in neither line-up by default
      outbox:
        asked.defaultStarter || asked.defaultBench
          ? [{ kind: 'reaction', payload: { event: event.type, ref: `team/${teamId}` } }]
          : [],
    }
  })
}

/**
 * Creates and changes players of a roster, all of them or none, and answers them in the order of the request. Throws invalid for ids that
 * are not on the roster, or named twice. show-control: Records
 */
export function writeRosterBatch(
  ctx: RecordContext,
  teamId: number,
  { players }: z.output<typeof RosterBatch>,
): Promise<{ players: Player[] }> {
  const ref = `team/${teamId}`
  const asked = { players: players.length }
  return ctx.db.write(ctx, { ref, type: 'writePlayers', asked }, async (tx) => {
    await ownRecords(ctx, tx, 'team', [teamId])
    await checkOnRoster(tx, teamId, players)
    const ids: number[] = []
    for (const { id, ...player } of players) {
      if (id === undefined) {
        // the schema demands both of a player who is made
        const { firstName = '', lastName = '' } = player
        ids.push(await insertPlayer(ctx, tx, teamId, { ...player, firstName, lastName }))
      } else {
        await changePlayer(tx, { teamId, playerId: id }, player)
        ids.push(id)
      }
    }
    const known = new Map((await rosterPlayers(tx, teamId, ids)).map((player) => [player.id, player]))
    const events = players.map(({ id, ...changed }, index) =>
      id === undefined
        ? { type: 'player.created', playerId: ids[index], teamId }
        : { type: 'player.updated', playerId: id, teamId, changed },
    )
    return {
      result: { players: ids.flatMap((id) => known.get(id) ?? []) },
      events,
      outbox: [{ kind: 'reaction', payload: { event: 'team.player.put', ref } }],
    }
  })
}

async function checkOnRoster(tx: TransactionSql, teamId: number, players: z.output<typeof RosterBatch>['players']) {
  const ids = players.flatMap(({ id }) => id ?? [])
  const rows = await tx<{ id: number }[]>`
    select player_id as id from roster_entry where team_id = ${teamId} and player_id = any(${ids})`
  const there = new Set(rows.map(({ id }) => id))
  const details: FieldErrors = {}
  for (const [index, { id }] of players.entries()) {
    if (id === undefined) continue
    const message = !there.has(id)
      ? 'not on the roster'
      : ids.indexOf(id) < ids.lastIndexOf(id)
        ? 'named twice'
        : undefined
    if (message) details[`body.players[${index}].id`] = { message, value: id }
  }
  if (Object.keys(details).length > 0) throw invalid(details)
}

async function insertPlayer(
  { organizationId }: RecordContext,
  tx: TransactionSql,
  teamId: number,
  asked: z.output<typeof RosterPlayerCreation>,
): Promise<number> {
  const [player] = await tx<{ id: number }[]>`
    insert into player (organization_id, first_name, last_name)
    values (${organizationId}, ${asked.firstName}, ${asked.lastName}) returning id`
  if (!player) throw new Error('an insert returned no row')
  await putEntry(tx, teamId, player.id, asked)
  return player.id
}

type RosterIds = { teamId: number; playerId: number }

/**
 * Puts a player of the organization on the roster, or replaces all that the roster says about him. Throws notFound also for
 * a team or a player of another organization.
 */
export function putRosterPlayer(
  ctx: RecordContext,
  { teamId, playerId }: RosterIds,
  asked: z.output<typeof RosterEntry>,
): Promise<Player> {
  return ctx.db.write(ctx, { ref: `team/${teamId}`, type: 'putPlayer', asked }, async (tx) => {
    const [both] = await tx`
      select 1 from team t, player p
      where t.id = ${teamId} and p.id = ${playerId}
        and t.organization_id = ${ctx.organizationId} and p.organization_id = ${ctx.organizationId}`
    if (!both) throw notFound()
    await putEntry(tx, teamId, playerId, asked)
    const event = { type: 'team.player.put', teamId, playerId, entry: asked }
    return {
      result: await getRosterPlayer(ctx, teamId, playerId, tx),
      events: [event],
      outbox: [{ kind: 'reaction', payload: { event: event.type, ref: `team/${teamId}` } }],
    }
  })
}

/**
 * Changes the name on every team of the player, all else on this team only; fields left out keep their value. Throws
 * notFound unless the player is on the roster of a team of the organization. spec: Teams 5
 */
export function updateRosterPlayer(
  ctx: RecordContext,
  { teamId, playerId }: RosterIds,
  asked: z.output<typeof RosterPlayerUpdate>,
): Promise<Player> {
  const ref = `player/${playerId}`
  return ctx.db.write(ctx, { ref, type: 'update', asked }, async (tx) => {
    await getRosterPlayer(ctx, teamId, playerId, tx)
    await changePlayer(tx, { teamId, playerId }, asked)
    const event = { type: 'player.updated', playerId, teamId, changed: asked }
    return {
      result: await getRosterPlayer(ctx, teamId, playerId, tx),
      events: [event],
      outbox: [{ kind: 'reaction', payload: { event: event.type, ref } }],
    }
  })
}

/** Takes a player off the roster; the player stays, and so do the line-ups that name him. Throws as `updateRosterPlayer`. */
export function removeRosterPlayer(ctx: RecordContext, { teamId, playerId }: RosterIds): Promise<undefined> {
  const ref = `team/${teamId}`
  return ctx.db.write(ctx, { ref, type: 'removePlayer', asked: { playerId } }, async (tx) => {
    await getRosterPlayer(ctx, teamId, playerId, tx)
    await tx`delete from roster_entry where team_id = ${teamId} and player_id = ${playerId}`
    const event = { type: 'team.player.removed', teamId, playerId }
    return { result: undefined, events: [event], outbox: [{ kind: 'reaction', payload: { event: event.type, ref } }] }
  })
}

async function changePlayer(
  tx: TransactionSql,
  { teamId, playerId }: RosterIds,
  asked: z.output<typeof RosterPlayerUpdate>,
): Promise<void> {
  const name = changedColumns({ firstName: 'first_name', lastName: 'last_name' }, asked)
  const entry = changedColumns(
    {
      gfxFirstName: 'gfx_first_name',
      gfxLastName: 'gfx_last_name',
      position: 'position',
      positionType: 'position_type',
      number: 'number',
      defaultStarter: 'starter',
      defaultBench: 'bench',
      captain: 'captain',
      photoUrl: 'photo_url',
    },
    asked,
  )
  if (Object.keys(name).length > 0) await tx`update player set ${tx(name)} where id = ${playerId}`
  if (Object.keys(entry).length > 0)
    await tx`update roster_entry set ${tx(entry)} where team_id = ${teamId} and player_id = ${playerId}`
}

async function putEntry(
  tx: TransactionSql,
  teamId: number,
  playerId: number,
  asked: z.output<typeof RosterEntry>,
): Promise<void> {
  await tx`
    insert into roster_entry (team_id, player_id, gfx_first_name, gfx_last_name, position, position_type, number,
      starter, bench, captain, photo_url)
    values (${teamId}, ${playerId}, ${asked.gfxFirstName ?? null}, ${asked.gfxLastName ?? null},
      ${asked.position ?? null}, ${asked.positionType ?? null}, ${asked.number === undefined ? '' : asked.number},
      ${asked.defaultStarter ?? false}, ${asked.defaultBench ?? false}, ${asked.captain ?? false},
      ${asked.photoUrl ?? null})
    on conflict (team_id, player_id) do update set gfx_first_name = excluded.gfx_first_name,
      gfx_last_name = excluded.gfx_last_name, position = excluded.position, position_type = excluded.position_type,
      number = excluded.number, starter = excluded.starter, bench = excluded.bench, captain = excluded.captain,
      photo_url = excluded.photo_url`
}
