import { z } from 'zod'
import { ShownPreset } from '../../schema/fields.ts'
import { GamePlanState } from '../../schema/game-plan-state.ts'
import { LoggedAction } from '../../schema/logged-action.ts'
import { RundownPosition } from '../../schema/rundown-position.ts'
import { ScheduledCommand } from '../../schema/scheduled.ts'
import { SetValue } from '../../schema/set-value.ts'

/**
 * Messages to followers of an overlay: operators' and producers' pages, hardware panels, scripts. Only the server speaks.
 * Everything is the committed truth, never the delayed view of the renderers.
 */

const Id = z.int32().min(1)
const Moment = z.iso.datetime().meta({ description: 'ISO 8601 in UTC' })

const Names = z.record(z.string(), z.string()).meta({
  description:
    'By variable, what the record of the match is called that its value names (a player, a team, a fact, …); without one, show the value',
})

/** A graphic on air. */
export const LiveGraphic = z
  .object({
    graphicId: z.string(),
    graphicName: z.string(),
    presetId: ShownPreset,
    sectionId: z.string(),
    variableValues: z.record(z.string(), SetValue),
    names: Names.optional(),
    seq: z.int().meta({ description: 'Of its latest show or update; new live data leaves it as it is' }),
    since: Moment.nullable().meta({
      description: 'When it was shown; null when the journal does not hold that any more',
    }),
    until: Moment.nullable().meta({
      description: 'When it goes off air by itself; null: it stays, or `since` is not known',
    }),
    step: z.int().optional().meta({ description: 'Where an OGraf graphic stands, from 0' }),
    painted: z
      .object({
        renderers: z.int().meta({ description: 'How many of those connected have it on screen as of `seq`' }),
        of: z.int().meta({ description: 'How many are connected that show it' }),
        outOfView: z.int().meta({
          description: 'How many of those that do not have it on screen are not shown by their program now',
        }),
        at: Moment.nullable().meta({ description: 'The first paint report as of `seq`' }),
      })
      .meta({ id: 'LivePainted' }),
  })
  .meta({ id: 'LiveGraphic' })
export type LiveGraphic = z.output<typeof LiveGraphic>

/** A graphic on preview: as it goes on air by a take. */
export const LiveCue = z
  .object({
    graphicId: z.string(),
    graphicName: z.string(),
    presetId: ShownPreset,
    sectionId: z.string(),
    variableValues: z.record(z.string(), SetValue),
    seq: z.int().meta({ description: 'Of its cue' }),
  })
  .meta({ id: 'LiveCue' })
export type LiveCue = z.output<typeof LiveCue>

/** One connected browser source. Times are milliseconds from commit (or release of a delayed change) to its paint report. */
export const LiveRenderer = z
  .object({
    id: z.string().meta({ description: 'Of this connection' }),
    name: z.string().meta({ description: 'Its `?renderer=`, or the id of its connection' }),
    engine: z.string().meta({ description: 'Host and engine, such as `OBS 31.0, Chromium 127`' }),
    state: z
      .enum(['waiting', 'current', 'behind'])
      .meta({ description: 'waiting: no READY yet; behind: something on air is not painted as of its seq' }),
    outOfView: z.boolean().meta({
      description:
        'Its program does not show it now, such as OBS a source that is in no scene on screen: it gets no frames, and paints when it is shown',
    }),
    connectedAt: Moment,
    lastPaintAt: Moment.nullable(),
    lastSeq: z.int().nullable(),
    latency: z
      .object({ p50: z.number(), p95: z.number(), p99: z.number(), count: z.int() })
      .nullable()
      .meta({ id: 'LiveLatency', description: 'Of its latest paints, at most 256' }),
    problems: z
      .array(
        z.object({
          graphicId: z.string(),
          graphicName: z.string(),
          message: z.string(),
          at: Moment.meta({ description: 'When it was told first' }),
        }),
      )
      .meta({
        description:
          'Why it does not paint a graphic, or not as it should, in its own words: what is on air first, the newest of each graphic. At most 20, and fewer when many renderers have some',
      }),
  })
  .meta({ id: 'LiveRenderer' })
export type LiveRenderer = z.output<typeof LiveRenderer>

/** Score and clock of the match. The clock does not tick on the wire: it runs from `asOf` on the server's time. */
export const LiveMatch = z
  .object({
    id: Id,
    name: z.string(),
    sport: z.string(),
    state: z.string(),
    period: z.object({ number: z.int(), type: z.string(), name: z.string() }).nullable(),
    clock: z
      .object({
        running: z.boolean(),
        valueMs: z.number(),
        asOf: Moment,
        direction: z.enum(['up', 'down']),
        limitMs: z.number().nullable().meta({ description: 'Where a running clock stops by itself' }),
      })
      .nullable(),
    competitors: z.array(
      z.object({
        name: z.string(),
        shortName: z.string(),
        isHome: z.boolean(),
        score: z.union([z.number(), z.string()]).nullable(),
        color: z.string().nullable(),
      }),
    ),
    sets: z
      .array(z.object({ number: z.int(), name: z.string(), home: z.number(), away: z.number() }))
      .optional()
      .meta({
        description:
          'In sports that are played in sets, whose `score` is the sets won: the points of each set so far, in tennis its games',
      }),
    game: z.object({ home: z.string(), away: z.string() }).optional().meta({
      description:
        'Points of the game under way in tennis, as they are called: `0`, `15`, `30`, `40`, `Ad`; plain numbers in a tie-break',
    }),
    server: z.enum(['home', 'away']).optional().meta({ description: 'Who serves, in sports that are played in sets' }),
  })
  .meta({ id: 'LiveMatch' })
export type LiveMatch = z.output<typeof LiveMatch>

export const LiveOverlay = z
  .object({
    id: Id,
    name: z.string(),
    matchId: Id,
    controlRoomId: Id.nullable(),
    encodingDelay: z.int().meta({ description: 'Seconds by which renderers are later than what is told here' }),
    autoMode: z.boolean(),
    adType: z.enum(['free', 'brands', 'noBrands']).nullable(),
  })
  .meta({ id: 'LiveOverlay' })
export type LiveOverlay = z.output<typeof LiveOverlay>

const By = z
  .object({ type: z.enum(['key', 'person', 'system', 'link', 'desk', 'gamePlan']), name: z.string().nullable() })
  .meta({ id: 'LiveCause', description: 'Who or what; link: the control room page, gamePlan: a rule of the game plan' })

/** Opaque to followers. */
const Cursor = z.string().min(1).max(64)

/** First, and again whenever a follower cannot be told the difference. */
export const Snapshot = z
  .object({
    cursor: Cursor,
    serverTime: Moment,
    overlay: LiveOverlay,
    seq: z.int(),
    onAir: z.array(LiveGraphic),
    preview: z.array(LiveCue).meta({ description: 'Beta' }),
    scheduled: z.array(ScheduledCommand).meta({ description: 'Beta. The next first' }),
    rehearsal: z.boolean().meta({ description: 'Beta. It rehearses: `onAir` is what would be, and nothing is' }),
    rundown: RundownPosition.meta({ description: 'Beta' }),
    renderers: z.array(LiveRenderer),
    match: LiveMatch.nullable(),
  })
  .meta({ id: 'LiveSnapshot' })

const Gone = z.object({ graphicId: z.string(), graphicName: z.string(), presetId: ShownPreset, sectionId: z.string() })

/**
 * One command took effect. Those since `?cursor=` come first on a resumed connection, in order, none twice. A refresh is new live
 * data for everything on air: nothing else changed.
 */
export const Change = z
  .object({
    cursor: Cursor,
    seq: z.int(),
    at: Moment.meta({ description: 'When it was committed' }),
    action: LoggedAction,
    by: By,
    shown: z.array(LiveGraphic).meta({ description: 'On air after it, shown or updated by it; whole' }),
    hidden: z.array(Gone),
    cued: z.array(LiveCue).optional().meta({ description: 'Beta. On preview after it; left out: none came there' }),
    uncued: z.array(Gone).optional().meta({ description: 'Beta. Not on preview any more; left out: all stayed' }),
    scheduled: z.array(ScheduledCommand).optional().meta({ description: 'Beta. Scheduled by it' }),
    rehearsal: z.boolean().optional().meta({ description: 'Beta. It rehearses from now on, or does so no more' }),
    unscheduled: z
      .array(
        z.object({
          id: z.int(),
          outcome: z.enum(['done', 'removed', 'missed', 'refused']),
          reason: z.string().nullable(),
        }),
      )
      .optional()
      .meta({
        description: 'Beta. Scheduled no more: carried out now, taken away, too late, or refused when its time came',
      }),
    rundown: RundownPosition.optional().meta({ description: 'Beta. Where it is after it; left out: it did not move' }),
  })
  .meta({ id: 'LiveChange' })

export const Painted = z
  .object({
    graphics: z.array(z.object({ graphicId: z.string(), seq: z.int(), painted: LiveGraphic.shape.painted })),
  })
  .meta({ id: 'LivePaints', description: 'At most ten a second' })

export const Named = z
  .object({ graphics: z.array(z.object({ graphicId: z.string(), seq: z.int(), names: Names })) })
  .meta({ id: 'LiveNames' })

export const Renderers = z.object({ renderers: z.array(LiveRenderer) }).meta({
  id: 'LiveRenderers',
  description: 'All of them, at most once a second; the first 500 of more',
})

/** What a picture beside the air says to be wrong: nobody on air sees it, and a take would put it there. show-control: Pictures */
export const LivePictureProblem = z
  .object({
    bus: z.enum(['preview', 'program']).meta({
      description:
        'preview: of the picture as it will be after the take; program: of what a rehearsal shows in the place of the air',
    }),
    graphicId: z.string(),
    graphicName: z.string(),
    message: z.string(),
    at: Moment.meta({ description: 'When it was told first' }),
  })
  .meta({ id: 'LivePictureProblem' })
export type LivePictureProblem = z.output<typeof LivePictureProblem>

export const Pictures = z.object({ problems: z.array(LivePictureProblem) }).meta({
  id: 'LivePictures',
  description: 'Beta. All of them, at most once a second; the first 100 of more',
})

export const MatchChanged = z.object({ match: LiveMatch.nullable() }).meta({ id: 'LiveMatchChange' })
export const OverlayChanged = z.object({ overlay: LiveOverlay }).meta({ id: 'LiveOverlayChange' })

/** The presets, sections, theme version, game plan's rules or rundown behind the overlay changed: the room as a follower read it is out of date. */
export const RoomChanged = z.object({ controlRoomId: Id.nullable() }).meta({ id: 'LiveRoomChange' })

/** What `{"action":"undo"}` would do. show-control: Pictures */
export const LiveUndo = z
  .object({
    seq: z.int().meta({ description: 'Of the command that it takes back; send it along to undo no other one' }),
    action: LoggedAction.meta({ description: 'Of that command' }),
    by: By,
    until: Moment.meta({ description: 'Until when it can be undone' }),
    hides: z.array(Gone).meta({ description: 'Go off air' }),
    restores: z
      .array(Gone.extend({ until: Moment.nullable().meta({ description: 'When its time is up; null: it stays' }) }))
      .meta({ description: 'Come back on air, or change back, as they were. Not those whose time is up by then' }),
  })
  .meta({ id: 'LiveUndo' })
export type LiveUndo = z.output<typeof LiveUndo>

export const UndoChanged = z.object({ undo: LiveUndo.nullable() }).meta({ id: 'LiveUndoChange', description: 'Beta' })

/** After two seconds of silence. A follower that hears nothing for five is not connected any more, whatever its socket says. */
export const Pulse = z.object({ cursor: Cursor, serverTime: Moment }).meta({ id: 'LivePulse' })

/** Every message, by its type: `{"type": "SNAPSHOT", "payload": {…}}`. */
export const liveMessages = {
  SNAPSHOT: Snapshot,
  CHANGE: Change,
  PAINTED: Painted,
  NAMES: Named,
  RENDERERS: Renderers,
  PICTURES: Pictures,
  MATCH: MatchChanged,
  OVERLAY: OverlayChanged,
  UNDO: UndoChanged,
  PLAN: GamePlanState,
  ROOM: RoomChanged,
  PULSE: Pulse,
} as const

export type LiveMessage = {
  [Type in keyof typeof liveMessages]: { type: Type; payload: z.output<(typeof liveMessages)[Type]> }
}[keyof typeof liveMessages]
