import type { TransactionSql } from 'postgres'
import type { z } from 'zod'
import type { Overlay as OverlayState } from '../../../machines/overlay/model.ts'
import { newActor } from '../../actors/rows.ts'
import type { Context, RecordContext } from '../../context.ts'
import { forbidden, invalid, notFound, onAirNow } from '../../errors.ts'
import { digestOf } from '../../secrets/digest.ts'
import { newToken } from '../new-token.ts'
import { nextId } from '../next-id.ts'
import { refuseWhileRunning } from '../streams/removal.ts'
import { changedObs, sealedOverlay, storedObs, withoutPassword } from './obs.commands.ts'
import { placement } from './placement.ts'
import { getOverlay, getOverlayV2, overlayUrls, overlayWith } from './queries.ts'
import { forgetOverlay, hideEverything, notifyOverlay, removeOverlay } from './removal.ts'
import {
  type CreatedOverlay,
  manualModeAllowed,
  manualModeRefused,
  type OverlayCreation,
  type OverlayUpdate,
} from './schema.ts'

type Creation = z.output<typeof OverlayCreation>
type Update = z.output<typeof OverlayUpdate>

/** Creates an overlay. spec: Overlays 11 */
export async function createOverlay(ctx: Context, asked: Creation): Promise<z.output<typeof CreatedOverlay>> {
  changedObs(ctx, { url: null, password: undefined }, asked)
  const created = await insertOverlay(ctx, asked)
  // its first renderer is let in without a wait; rows that cannot be read now are read when that renderer comes
  await Promise.resolve(ctx.catalog.overlay(created.id)).catch(() => undefined)
  return created
}

/** Writes the overlay and the actor that holds its graphics; `obsUrl` was checked. */
export function insertOverlay(ctx: RecordContext, asked: Creation): Promise<z.output<typeof CreatedOverlay>> {
  const command = { ref: 'overlay-settings/new', type: 'create', asked: withoutPassword(asked) }
  return ctx.db.write(ctx, command, async (tx) => {
    const { profileId, roomId } = await placement(tx, ctx.organizationId, {
      matchId: asked.matchId,
      profileId: asked.competitionThemeSettingId,
      roomId: asked.controlRoomId,
    })
    const id = await nextId(tx, 'overlay')
    const tokens = { control: newToken(), monitoring: newToken() }
    const [row] = await tx<{ id: number; key: string }[]>`
      insert into overlay (id, organization_id, match_id, secrets, control_digest, monitoring_digest, name, auto_mode,
        ad_type, encoding_delay_seconds, theme_profile_id, control_room_id, obs_url)
      overriding system value
      values (${id}, ${ctx.organizationId}, ${asked.matchId}, ${sealedOverlay(ctx, id, tokens, asked.obsPassword ?? undefined)},
        ${digestOf(tokens.control)}, ${digestOf(tokens.monitoring)}, ${asked.name}, ${asked.autoMode ?? true},
        ${asked.adType ?? null}, ${asked.encodingDelay ?? 0}, ${profileId}, ${roomId},
        ${asked.obsUrl ?? null})
      returning id, key`
    if (!row) throw new Error('an insert returned no row')
    const actor = newActor('overlay')
    await tx`insert into actor (ref, organization_id, machine_version, snapshot)
      values (${`overlay/${row.id}`}, ${ctx.organizationId}, ${actor.machineVersion}, ${actor.snapshot}::text::json)`
    await notifyOverlay(tx, row.id)
    const { controlRoomUrl, monitoringUrl } = overlayUrls(ctx.publicUrl, { key: row.key, ...tokens })
    return {
      ref: `overlay-settings/${row.id}`,
      result: { key: row.key, id: row.id, controlRoomUrl, monitoringUrl },
      events: [{ type: 'overlay.created', overlayId: row.id, matchId: asked.matchId, name: asked.name }],
      // its game plan looks at once: without a first look it has no alarm, and what happens next is past to it
      outbox: (asked.autoMode ?? true) ? [reactionOf('overlay.automated', `game-plan/${row.id}`)] : [],
    }
  })
}

/** Changes settings, or whether it rehearses; nothing on air changes. Answers as `getOverlay`. */
export const updateOverlay = async (ctx: Context, overlayId: number, asked: Update) =>
  (await rehearsed(ctx, overlayId, asked))?.(({ told }) => told) ??
  change(ctx, overlayId, asked, (tx) => getOverlay(ctx, overlayId, tx))
/** As `updateOverlay`, answering as `getOverlayV2`. */
export const updateOverlayV2 = async (ctx: Context, overlayId: number, asked: Update) =>
  (await rehearsed(ctx, overlayId, asked))?.(({ toldV2 }) => toldV2) ??
  change(ctx, overlayId, asked, (tx) => getOverlayV2(ctx, overlayId, tx))

type Overlays = Awaited<ReturnType<typeof overlayWith>>

/**
 * Begins or ends a rehearsal where the update asks for that; undefined where it does not. The actor commits it, and the row of settings has a
 * commit of its own: what changes both would be half done after a refusal. Throws onAirNow.
 */
async function rehearsed(ctx: Context, overlayId: number, { rehearsal, ...settings }: Update) {
  if (rehearsal === undefined) return undefined
  const overlay = await overlayWith(ctx, overlayId)
  const isNow = overlay.settings.rehearsal !== null
  const others = Object.entries(settings).filter(([, value]) => value !== undefined)
  // a client that sends back all that it has read
  const changesOthers = others.some(([name, value]) => value !== Reflect.get(overlay.settings, name))
  if (changesOthers && isNow === rehearsal) return undefined
  if (changesOthers) throw invalid({ 'body.rehearsal': { message: 'is changed by itself', value: rehearsal } })
  return <A>(teller: (overlays: Overlays) => (state: OverlayState) => A): Promise<A> =>
    ctx.actors.send(ctx, 'overlay', overlayId, {
      asked: { type: 'rehearse', on: rehearsal },
      decide: () => ({ type: 'rehearse', on: rehearsal }),
      reply: teller(overlay),
      refused: onAirNow,
    })
}

type Stored = {
  organizationId: number
  matchId: number
  name: string
  autoMode: boolean
  adType: string | null
  encodingDelay: number
  profileId: number | null
  roomId: number | null
}

async function change<T>(ctx: Context, overlayId: number, asked: Update, answer: (tx: TransactionSql) => Promise<T>) {
  const noted = withoutPassword(asked)
  const command = { ref: `overlay-settings/${overlayId}`, type: 'update', asked: noted }
  const result = await ctx.db.write(ctx, command, async (tx) => {
    const stored = await lockOverlay(tx, ctx.organizationId, overlayId)
    const autoMode = asked.autoMode ?? stored.autoMode
    const adType = asked.adType ?? stored.adType
    const placed =
      asked.competitionThemeSettingId === undefined && asked.controlRoomId === undefined
        ? stored
        : await placement(tx, ctx.organizationId, {
            matchId: stored.matchId,
            profileId: asked.competitionThemeSettingId ?? stored.profileId,
            roomId: asked.controlRoomId,
            storedProfileId: stored.profileId,
            storedRoomId: stored.roomId,
          })
    if (!manualModeAllowed(autoMode, adType)) throw invalid(manualModeRefused)
    const encodingDelay = asked.encodingDelay ?? stored.encodingDelay
    if (encodingDelay > stored.encodingDelay) await freezeDelayedView(tx, overlayId, stored.encodingDelay)
    await tx`update overlay set name = ${asked.name ?? stored.name}, auto_mode = ${autoMode}, ad_type = ${adType},
      encoding_delay_seconds = ${encodingDelay}, theme_profile_id = ${placed.profileId},
      control_room_id = ${placed.roomId}, updated_at = clock_timestamp()
      where id = ${overlayId}`
    if (asked.obsUrl !== undefined || asked.obsPassword !== undefined) await changeObs(ctx, tx, overlayId, asked)
    await notifyOverlay(tx, overlayId)
    // another profile or theme gives graphics on air other theme values, another delay another time at which the clock stood
    const restyled =
      placed.profileId !== stored.profileId || placed.roomId !== stored.roomId || encodingDelay !== stored.encodingDelay
    return {
      result: await answer(tx),
      events: [{ type: 'overlay.updated', overlayId, changed: noted }],
      outbox: [
        ...(restyled ? [reactionOf('overlay.updated', command.ref)] : []),
        // its game plan looks at once
        ...(autoMode !== stored.autoMode ? [reactionOf('overlay.automated', `game-plan/${overlayId}`)] : []),
      ],
    }
  })
  ctx.catalog.forget({ overlay: overlayId })
  return result
}

/** What is told of an OBS goes with its address. */
async function changeObs(ctx: Context, tx: TransactionSql, overlayId: number, asked: Update) {
  const stored = await storedObs(ctx, tx, overlayId)
  const { url, password } = changedObs(ctx, stored, asked)
  await tx`update overlay set obs_url = ${url}, secrets = ${sealedOverlay(ctx, overlayId, stored.tokens, password)},
    obs_refresh = case when obs_url = ${url} then obs_refresh end where id = ${overlayId}`
}

const reactionOf = (event: string, ref: string) => ({ kind: 'reaction', payload: { event, ref } })

/** Hides everything, then removes the overlay with its actor; its sockets close. The journal stays. Throws invalid while a running stream burns it in. */
export async function deleteOverlay(ctx: Context, overlayId: number): Promise<undefined> {
  await getOverlay(ctx, overlayId)
  await refuseWhileRunning(ctx.db.sql, { overlayId }, 'path.overlayId')
  await hideEverything(ctx, overlayId, 'overlay deleted')
  await ctx.db.write(ctx, { ref: `overlay-settings/${overlayId}`, type: 'delete' }, async (tx) => {
    await refuseWhileRunning(tx, { overlayId }, 'path.overlayId')
    await removeOverlay(tx, overlayId)
    return { result: undefined, events: [{ type: 'overlay.deleted', overlayId }] }
  })
  forgetOverlay(ctx, overlayId)
  return undefined
}

/** The settings of an own overlay, locked. Throws notFound, or forbidden when it is another organization's. */
export async function lockOverlay(tx: TransactionSql, organizationId: number, overlayId: number): Promise<Stored> {
  const [row] = await tx<Stored[]>`
    select organization_id as "organizationId", match_id as "matchId", name, auto_mode as "autoMode",
      ad_type as "adType", encoding_delay_seconds as "encodingDelay", theme_profile_id as "profileId",
      control_room_id as "roomId"
    from overlay where id = ${overlayId} for update`
  if (!row) throw notFound()
  if (row.organizationId !== organizationId) throw forbidden()
  return row
}

/**
 * A longer delay must not take back graphics that renderers show already: the view stays at the seq that the old delay has
 * reached, which is the one before the first entry it still holds back.
 */
async function freezeDelayedView(tx: TransactionSql, overlayId: number, delaySeconds: number) {
  const ref = `overlay/${overlayId}`
  await tx`update overlay set delay_floor_seq = greatest(delay_floor_seq, coalesce(
      (select min(seq) - 1 from journal
        where ref = ${ref} and at > clock_timestamp() - make_interval(secs => ${delaySeconds})),
      (select seq from actor where ref = ${ref}), 0))
    where id = ${overlayId}`
}
