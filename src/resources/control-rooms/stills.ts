import { createHash } from 'node:crypto'
import type { Context, Stills } from '../../context.ts'
import { insufficientScope, notFound, stillMissing, unavailable } from '../../errors.ts'
import { Raw } from '../../http/route.ts'
import { QueueFull } from '../../media/stills/queue.ts'
import type { SportKey } from '../../schema/sport.ts'
import { createLongReads } from '../long-reads.ts'
import { ownRecords } from '../ownership.ts'
import { previewFrame } from '../previews/frame.ts'
import { findScenario } from '../scenarios/queries.ts'
import { getPreset, getRoomDetail } from './queries.ts'

/** Raised when stills are drawn otherwise, so that those of before are none. */
const DRAWN = 1
/** For so long a request waits for a picture that is just being made. */
const WAITS_MS = 1_200
/** Until there may be a place in the queue. */
const FULL_SECONDS = 5
/** Frames that are put together at a time, and of one organization: a page asks for the stills of all its buttons. */
const composing = createLongReads({ most: 3, mostOfOne: 1, mostWaiting: 200, patienceMs: 1_500 })

type Asked = {
  roomId: number
  presetId: number
  /** The match whose data it shows; left out: one of the sport that is made up. */
  matchId?: number | undefined
  /** The profile whose theme values it shows; left out: their defaults. */
  profileId?: number | undefined
}

/**
 * As `getStill`, for a caller with a key: whoever sees the picture sees the match. With the look that an overlay of the match is made with. Throws
 * insufficientScope, too.
 */
export async function stillFor(ctx: Context, asked: Omit<Asked, 'profileId'>): Promise<Raw> {
  if (asked.matchId === undefined) return getStill(ctx, asked)
  if (!ctx.scopes.has('matches:read')) throw insufficientScope('matches:read')
  return getStill(ctx, { ...asked, profileId: await lookOf(ctx, asked.roomId, asked.matchId) })
}

/** The profile of the theme of a room in the competition of a match: its default before others. */
async function lookOf({ db, organizationId }: Context, roomId: number, matchId: number): Promise<number | undefined> {
  const [profile] = await db.sql<{ id: number }[]>`
    select p.id from theme_profile p
    join match m on m.competition_id = p.competition_id join control_room r on r.theme_id = p.theme_id
    where m.id = ${matchId} and r.id = ${roomId} and p.organization_id = ${organizationId} and p.archived_at is null
    order by p.is_default desc, p.id limit 1`
  return profile?.id
}

/**
 * What a preset would put on air now: PNG, 480 by 270, with the hash of all that it shows as its `ETag`. Throws notFound, stillMissing with the
 * reason where there is none, and unavailable while it is being made. show-control: Pictures
 */
export async function getStill(ctx: Context, asked: Asked): Promise<Raw> {
  const { stills } = ctx
  if (!stills) throw stillMissing('Stills are made by a server')
  if (asked.matchId !== undefined) await ownRecords(ctx, ctx.db.sql, 'match', [asked.matchId])
  const { key, draw } = await composing(() => compose(ctx, stills, asked), ctx.organizationId)
  const png = (await stills.find(key)) ?? (await made(ctx, stills, key, draw))
  return new Raw('image/png', png, { ETag: `"${key}"`, 'Cache-Control': 'private, no-cache' })
}

async function made(ctx: Context, stills: Stills, key: string, draw: () => Promise<string>): Promise<Buffer> {
  const { organizationId, log, media } = ctx
  const lack = media.lacks('still')
  if (lack !== undefined) throw stillMissing(lack)
  const refused = (error: Error): never => {
    if (error instanceof QueueFull) throw unavailable(FULL_SECONDS)
    log.info({ err: error }, 'a still could not be made')
    throw stillMissing(error.message)
  }
  const make = async () => {
    const png = await media.still({ organizationId, key, payload: await draw() }).catch(refused)
    await stills.keep(organizationId, key, png)
    return png
  }
  const making = make()
  const late = new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), WAITS_MS).unref())
  const png = await Promise.race([making, late])
  if (png) return png
  // it goes on, and is there for whoever asks again, who hears what went wrong
  making.catch(() => {})
  throw unavailable()
}

/** The key of what a show of the preset would put on air, and LOAD_GRAPHIC of it, its payload as JSON text. Throws notFound and stillMissing. */
async function compose(ctx: Context, { load }: Stills, { roomId, presetId, matchId, profileId }: Asked) {
  const [{ themeId, theme }, preset] = await Promise.all([getRoomDetail(ctx, roomId), getPreset(ctx, roomId, presetId)])
  const active = theme.activeVersion === null ? undefined : await ctx.catalog.active(themeId)
  const graphic = active?.get(preset.graphicId)
  if (!graphic) throw stillMissing('The graphic of the preset is not in the active version of the theme')
  const { graphicId, graphicName, kind, version } = graphic
  const sports = await sportsOf(ctx, graphicId)
  const scenarioId = matchId === undefined ? `${sports[0] ?? 'football'}-live` : undefined
  const none = { variableValues: {}, themeVariableValues: {} }
  const shown = { organizationId: ctx.organizationId, graphicId, graphicName, kind, sports, themeId }
  const settings = { version, ...none, ...(matchId !== undefined && { matchId }), ...(profileId && { profileId }) }
  const request = { ...none, version, variableValues: preset.variableValues, ...(scenarioId && { scenarioId }) }
  const frame = async (shownAt?: number) => {
    const parts = { load, now: Date.now(), shownAt, parsing: ctx.parsing, publicUrl: ctx.publicUrl }
    const text = await previewFrame(ctx.db.sql, { ...shown, settings, expiresAt: new Date() }, request, parts)
    return JSON.stringify(JSON.parse(text).frame.payload)
  }
  // a scenario moves with the time, and what it shows does not
  const fixed = await frame(scenarioId === undefined ? undefined : Date.parse(findScenario(scenarioId)?.at ?? ''))
  const draw = scenarioId === undefined ? async () => fixed : () => frame()
  return { key: createHash('sha256').update(`${DRAWN} ${fixed}`).digest('hex'), draw }
}

/** The sports that a graphic is for. */
async function sportsOf({ db }: Context, graphicId: string): Promise<SportKey[]> {
  const [draft] = await db.sql<
    { sports: SportKey[] }[]
  >`select sports from graphic_draft where graphic_id = ${graphicId}`
  if (!draft) throw notFound()
  return draft.sports
}
