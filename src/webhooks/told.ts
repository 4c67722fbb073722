import type { DestinationEvent } from '../../machines/destination.ts'
import type { PlanEvent } from '../../machines/game-plan/events.ts'
import type { InputEvent } from '../../machines/input.ts'
import { type MatchCreated, newMatch } from '../../machines/match.ts'
import type { MatchEvent, MatchSettings, Play } from '../../machines/match-model.ts'
import type { OverlayEvent } from '../../machines/overlay/events.ts'
import type { StreamEvent } from '../../machines/stream-model.ts'
import type { JournalPrincipal } from '../principal.ts'
import { causedBy } from '../resources/caused-by.ts'
import type { WebhookType } from '../resources/webhooks/events.schema.ts'
import type { Happening } from '../resources/webhooks/tell.ts'

/** A row of the journal. `at`: ISO 8601 with microseconds. */
export type TellingRow = { seq: number; at: string; events: readonly { type: string }[]; principal: JournalPrincipal }

/** Where what an actor tells belongs. */
export type Told = {
  ref: string
  id: number
  rows: readonly TellingRow[]
  /** The row before the first one. */
  before: readonly { type: string }[] | undefined
  /** Of streams and destinations. */
  stream?: { streamSettingsId: number; matchId: number } | undefined
  /** Of a game plan: whether it rehearsed before the first row. */
  rehearsing?: boolean
}

type Say = (row: TellingRow, type: WebhookType, subject: string, data: Record<string, unknown>) => void

/** The events that rows of an actor's journal are to webhooks, in order. */
export function happeningsOf(told: Told): Happening[] {
  const happenings: Happening[] = []
  let nth = 0
  let last: TellingRow | undefined
  const say: Say = (row, type, subject, data) => {
    nth = row === last ? nth + 1 : 0
    last = row
    happenings.push({ type, subject, ref: told.ref, seq: row.seq, nth, at: row.at, data })
  }
  const [kind = ''] = told.ref.split('/')
  TELLERS[kind]?.(told, say)
  return happenings
}

const TELLERS: Readonly<Record<string, (told: Told, say: Say) => void>> = {
  match: tellMatch,
  overlay: tellOverlay,
  stream: tellStream,
  destination: tellDestination,
  input: tellInput,
  'game-plan': tellPlan,
  'overlay-settings': tellSettings,
  lineup: tellLineup,
  theme: tellTheme,
}

/** The actors whose journal is told. */
export const TELLING_ACTORS = ['match', 'overlay', 'stream', 'destination', 'input', 'game-plan'] as const

// a row of the journal holds the facts of its kind
const eventsOf = <E>({ events }: Pick<TellingRow, 'events'>) => events as readonly unknown[] as readonly E[]

const settingsTold = ({ name, date, timezone, venueId, round }: MatchSettings) => ({
  name,
  date,
  timezone,
  venueId,
  round,
})

function playAfter(events: readonly (MatchEvent | MatchCreated)[]): Play | undefined {
  const event = events.at(-1)
  return event?.type === 'match.created' ? newMatch(event.match).play : event?.play
}

function tellMatch({ id, rows, before }: Told, say: Say): void {
  const subject = `match/${id}`
  let was = before && playAfter(eventsOf({ events: before }))
  for (const row of rows)
    for (const event of eventsOf<MatchEvent | (MatchCreated & { competitionId: number })>(row)) {
      const tell = (type: WebhookType, data: Record<string, unknown>) =>
        say(row, type, subject, { matchId: id, ...data })
      const play = playAfter([event])
      let of = {}
      switch (event.type) {
        case 'match.created': {
          const { sport, settings, competitors } = event.match
          const { competitionId } = event
          tell('match.created', { competitionId, sport, ...settingsTold(settings), competitors })
          break
        }
        case 'match.fact.recorded':
        case 'match.fact.corrected': {
          const { dataProvider: _provider, clientFactId: _client, ...fact } = event.fact
          of = { factId: fact.id }
          tell(event.type === 'match.fact.recorded' ? 'match.fact_created' : 'match.fact_updated', { ...of, fact })
          break
        }
        case 'match.fact.erased':
          of = { factId: event.factId }
          tell('match.fact_deleted', of)
          break
        case 'match.updated':
          tell('match.updated', { ...settingsTold(event.settings), competitors: event.competitors })
          break
      }
      if (was && play) {
        const { period, clock } = play
        const [now, then] = [play.score, was.score]
        if (play.state !== was.state)
          tell('match.state_changed', { state: play.state, previousState: was.state, period, clock, ...of })
        if (now.home !== then.home || now.away !== then.away)
          tell('match.score_changed', { score: sides(now), previousScore: sides(then), period, clock, ...of })
      }
      was = play
    }
}

const sides = ({ home, away }: { home: number; away: number }) => ({ home, away })

function tellOverlay({ id, rows }: Told, say: Say): void {
  for (const row of rows)
    for (const event of eventsOf<OverlayEvent>(row)) {
      if (event.type === 'data.refreshed') continue
      const { graphicId, graphicName, presetId } = event.type === 'graphic.hidden' ? event : event.graphic
      const graphic = { overlayId: id, seq: row.seq, graphicId, graphicName, presetId }
      const by = causedBy(row.principal)
      const subject = `overlay/${id}`
      if (event.type === 'graphic.hidden') say(row, 'overlay.graphic_hidden', subject, { ...graphic, by })
      else {
        const type = event.type === 'graphic.shown' ? 'overlay.graphic_shown' : 'overlay.graphic_updated'
        say(row, type, subject, { ...graphic, variableValues: event.graphic.values, by })
      }
    }
}

function tellStream({ rows, stream }: Told, say: Say): void {
  if (!stream) return
  for (const row of rows)
    for (const event of eventsOf<StreamEvent>(row)) {
      const state = STREAM_STATES[event.type]
      if (state === undefined) continue
      const error = event.type === 'stream.stopped' ? event.error : null
      say(row, 'stream.state_changed', `match/${stream.matchId}`, { ...stream, state, error })
    }
}

const STREAM_STATES: Readonly<Record<string, string>> = {
  'stream.starting': 'starting',
  'stream.running': 'running',
  'stream.stopping': 'stopping',
  'stream.stopped': 'stopped',
}

function tellDestination({ id, rows, stream }: Told, say: Say): void {
  if (!stream) return
  for (const row of rows)
    for (const event of eventsOf<DestinationEvent>(row)) {
      const status = STATUSES[event.type]
      if (status === undefined) continue
      const error = event.type === 'destination.failed' ? event.error : null
      const data = { ...stream, destinationId: id, status, error }
      say(row, 'destination.status_changed', `match/${stream.matchId}`, data)
    }
}

const STATUSES: Readonly<Record<string, string>> = {
  'destination.started': 'connecting',
  'destination.connecting': 'connecting',
  'destination.connected': 'connected',
  'destination.failed': 'retrying',
  'destination.stopped': 'stopped',
}

function tellInput({ id, rows, before }: Told, say: Say): void {
  let isLive = before?.at(-1)?.type === 'input.connected'
  for (const row of rows)
    for (const event of eventsOf<InputEvent>(row)) {
      const subject = `input/${id}`
      if (event.type === 'input.connected')
        say(row, 'input.connected', subject, { inputId: id, protocol: event.protocol })
      // one that was dropped is lost once, whether it comes back or not; one that was closed by hand is not
      else if (event.type === 'input.dropped' || (event.type === 'input.disconnected' && isLive))
        say(row, 'input.lost', subject, { inputId: id })
      if (event.type !== 'input.failed') isLive = event.type === 'input.connected'
    }
}

/** Whether a game plan rehearses after these facts, when it did so before. */
export function rehearsingAfter(rows: readonly Pick<TellingRow, 'events'>[], before: boolean): boolean {
  const switches = rows.flatMap(eventsOf<PlanEvent>).filter((event) => event.type === 'plan.rehearsing')
  return switches.at(-1)?.on ?? before
}

function tellPlan({ id, rows, rehearsing = false }: Told, say: Say): void {
  let isRehearsal = rehearsing
  for (const row of rows)
    for (const event of eventsOf<PlanEvent>(row)) {
      if (event.type === 'plan.rehearsing') isRehearsal = event.on
      if (isRehearsal || (event.type !== 'rule.fired' && event.type !== 'rule.suppressed')) continue
      const { ruleId, name, factId } = event
      const rule = { overlayId: id, ruleId, name, ...(factId !== null && { factId }) }
      if (event.type === 'rule.fired') say(row, 'gameplan.fired', `overlay/${id}`, rule)
      else say(row, 'gameplan.suppressed', `overlay/${id}`, { ...rule, reason: event.reason })
    }
}

function tellSettings({ id, rows }: Told, say: Say): void {
  for (const row of rows)
    for (const event of eventsOf<{ type: string; matchId: number; name: string }>(row)) {
      const { type, matchId, name } = event
      if (type === 'overlay.created') say(row, type, `overlay/${id}`, { overlayId: id, matchId, name })
    }
}

function tellLineup({ id, rows }: Told, say: Say): void {
  for (const row of rows)
    for (const event of eventsOf<{ type: string; teams: readonly { teamId: number }[] }>(row))
      if (event.type === 'match.lineup.updated')
        say(row, 'match.lineup_updated', `match/${id}`, {
          matchId: id,
          teamIds: event.teams.map(({ teamId }) => teamId),
        })
}

function tellTheme({ id, rows }: Told, say: Say): void {
  for (const row of rows)
    for (const event of eventsOf<{ type: string; version: number | null }>(row)) {
      const type =
        event.type === 'theme.versionPublished'
          ? 'theme.version_published'
          : event.type === 'theme.activated'
            ? 'theme.version_activated'
            : undefined
      if (type) say(row, type, `theme/${id}`, { themeId: id, version: event.version })
    }
}
