import type { Sql } from 'postgres'
import type { OnAir } from '../../../machines/overlay/model.ts'
import { notFound } from '../../errors.ts'
import type { Log } from '../../expressions/expression-set.ts'
import { createBreaths } from '../breaths.ts'
import { createLongReads } from '../long-reads.ts'
import { findSportParts } from '../matches/sport-data.ts'
import type { RecordedOverlay } from '../overlays/recorded.queries.ts'
import {
  type CommandRow,
  commandsKnownFrom,
  commandsOf,
  databaseNow,
  onAirOf,
} from '../overlays/recorded-commands.queries.ts'
import { Dresser } from './dress.ts'
import { type Happened, iso, type MatchRow, Play } from './play.ts'
import type { ReplayQuery, ReplayRecord, ReplayStep } from './schema.ts'

const MOST_STEPS = 5_000
/** How long before the first thing on air a replay begins. */
const LEAD_MS = 1_000
/** How long a replay goes on when every graphic is off air and nothing happens any more. */
const TAIL_MS = 10_000

export type ReplayParts = { sql: Sql; publicUrl: string; log: Log }

// anybody with the address of a replay may ask for it, as often as they like
const oneAtATime = createLongReads({ most: 1 })

/**
 * The show of an overlay, step by step, with the data of the match as it was then. One at a time: each takes a while. Throws
 * notFound, and unavailable when too many wait.
 */
export const replayRecord = (parts: ReplayParts, overlay: RecordedOverlay, query: ReplayQuery): Promise<ReplayRecord> =>
  oneAtATime(() => build(parts, overlay, query))

async function build({ sql, publicUrl, log }: ReplayParts, overlay: RecordedOverlay, { from, to }: ReplayQuery) {
  const [now, known, parts, profileId] = await Promise.all([
    databaseNow(sql),
    commandsKnownFrom(sql, overlay.id),
    findSportParts(sql, publicUrl, overlay.matchId),
    profileOf(sql, overlay.id),
  ])
  if (!parts) throw notFound()
  const until = Math.min(to === undefined ? now : Date.parse(to), now)
  const [commands, matchRows] = await Promise.all([
    readCommands(sql, overlay.id, { after: (known?.seq ?? 1) - 1, until }),
    readMatch(sql, overlay.matchId, until),
  ])
  const first = commands[0]?.at ?? until
  // the first show comes with its animation
  const start = Math.min(from === undefined ? first - LEAD_MS : Date.parse(from), until)
  const before = known ? await earlier(sql, overlay.id, commands) : []
  const shown = [
    ...before,
    ...commands.flatMap(({ events }) => events.flatMap((one) => ('graphic' in one ? one.graphic : []))),
  ]
  const dresser = await Dresser.of(sql, {
    themeIds: shown.map(({ themeId }) => themeId),
    profileId,
    matchId: overlay.matchId,
    publicUrl,
    log,
  })
  const play = new Play(
    parts,
    { graphics: Object.fromEntries(before.map((one) => [one.graphicId, one])), revisions: {} },
    dresser,
  )
  const whole = matchRows[0]?.events[0]?.type === 'match.created'
  // without its beginning nobody knows how the match was: it is shown as it is
  const [created, ...matchSteps] = whole ? matchRows : []
  const happened = inOrder(commands, matchSteps)
  if (created) play.fold({ at: created.at, match: created })
  else play.match = parts.match
  let index = 0
  for (let one = happened[index]; one && one.at <= start; one = happened[++index]) play.fold(one)
  const steps: ReplayStep[] = [play.start(start)]
  const breathe = createBreaths()
  for (let one = happened[index]; one && steps.length < MOST_STEPS; one = happened[++index]) {
    steps.push(play.step(one))
    await breathe()
  }
  const cut = happened[index]
  return {
    overlay: { id: overlay.id, name: overlay.name, removed: overlay.removed },
    match: { id: overlay.matchId, name: play.name, sport: parts.match.sport },
    from: iso(start),
    to: iso(
      cut ? cut.at : to === undefined && play.empty ? Math.min(until, (happened.at(-1)?.at ?? until) + TAIL_MS) : until,
    ),
    complete: whole && cut === undefined && (known === undefined || (from !== undefined && known.at <= start)),
    steps,
  }
}

async function readCommands(
  sql: Sql,
  overlayId: number,
  part: { after: number; until: number },
): Promise<CommandRow[]> {
  const commands: CommandRow[] = []
  for await (const row of commandsOf(sql, overlayId, part)) commands.push(row)
  return commands
}

async function readMatch(sql: Sql, matchId: number, until: number): Promise<MatchRow[]> {
  const rows = await sql<MatchRow[]>`
    select seq, extract(epoch from at)::float8 * 1000 as at, principal, events from journal
    where ref = ${`match/${matchId}`} and (at < ${new Date(until)} or seq = 0) order by seq`
  return [...rows]
}

/** Graphics that were on air when the kept part of the journal begins, and have not changed since. */
async function earlier(sql: Sql, overlayId: number, commands: readonly CommandRow[]): Promise<OnAir[]> {
  const touched = new Set(
    commands.flatMap(({ events }) =>
      events.flatMap((one) => ('graphic' in one ? one.graphic.graphicId : 'graphicId' in one ? one.graphicId : [])),
    ),
  )
  return (await onAirOf(sql, overlayId)).filter(({ graphicId }) => !touched.has(graphicId))
}

async function profileOf(sql: Sql, overlayId: number): Promise<number | null> {
  const [row] = await sql<{ profileId: number | null }[]>`
    select theme_profile_id as "profileId" from overlay where id = ${overlayId}`
  return row?.profileId ?? null
}

/** Both journals as they happened; each keeps its own order, also when the clock of the database jumped. */
function inOrder(commands: readonly CommandRow[], matches: readonly MatchRow[]): Happened[] {
  const all: Happened[] = []
  let [next, nextMatch] = [0, 0]
  for (;;) {
    const [command, match] = [commands[next], matches[nextMatch]]
    if (match && (!command || match.at <= command.at)) {
      all.push({ at: match.at, match })
      nextMatch++
    } else if (command) {
      all.push({ at: command.at, command })
      next++
    } else return all
  }
}
