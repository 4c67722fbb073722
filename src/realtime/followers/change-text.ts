import type { z } from 'zod'
import type { OverlayAside, OverlayEvent } from '../../../machines/overlay/events.ts'
import { type OnAir, offAfterMs } from '../../../machines/overlay/model.ts'
import { toldBy, toldRundown, toldScheduled } from '../../../machines/overlay/told.ts'
import { LoggedAction } from '../../schema/logged-action.ts'
import type { Card, JournalRow } from '../ports.ts'
import { cursorOf } from './cursor.ts'
import type { LiveCue, LiveGraphic, LiveMessage, LiveOverlay } from './live-protocol.ts'

type Action = z.output<typeof LoggedAction>
type Painted = LiveGraphic['painted']

/** A graphic on air as followers know it. Times are ms since 1970; 0 is unknown or never. */
export type Shown = { graphic: OnAir; seq: number; since: number; paintedAt: number }

export const iso = (ms: number): string | null => (ms > 0 ? new Date(ms).toISOString() : null)

export const moment = (ms: number): string => new Date(ms).toISOString()

/** One message as JSON text: made once, however many followers it goes to. */
export const textOf = (message: LiveMessage): string => JSON.stringify(message)

/** When a graphic goes off air by itself; 0: never, or nobody knows since when it is there. */
function offAt(graphic: OnAir, since: number): number {
  const offMs = offAfterMs(graphic)
  return since > 0 && offMs !== undefined ? since + offMs : 0
}

export const liveGraphic = ({ graphic, seq, since }: Shown, painted: Painted): LiveGraphic => ({
  graphicId: graphic.graphicId,
  graphicName: graphic.graphicName,
  presetId: graphic.presetId,
  sectionId: graphic.sectionId,
  variableValues: graphic.values,
  seq,
  since: iso(since),
  until: iso(offAt(graphic, since)),
  ...(graphic.ograf && { step: graphic.ograf.step }),
  painted,
})

export const liveCue = ({ graphicId, graphicName, presetId, sectionId, values, seq }: OnAir): LiveCue => ({
  graphicId,
  graphicName,
  presetId,
  sectionId,
  variableValues: values,
  seq,
})

export const liveOverlay = (card: Card): LiveOverlay => ({
  id: card.id,
  name: card.name,
  matchId: card.matchId,
  controlRoomId: card.controlRoomId,
  encodingDelay: card.encodingDelaySeconds,
  autoMode: card.autoMode,
  adType: card.adType,
})

const ACTIONS = {
  'graphic.shown': 'show',
  'graphic.updated': 'update',
  'graphic.hidden': 'hide',
  'data.refreshed': 'refresh',
} as const satisfies Record<OverlayEvent['type'], Action>

const actions: ReadonlySet<string> = new Set(LoggedAction.options)
export const isAction = (text: string): text is Action => actions.has(text)

/** The action that was asked for, by the JSON text of the command; by the facts when the text has none. */
export function actionOf(command: string | undefined, events: readonly OverlayEvent[]): Action {
  const named = command === undefined ? '' : String(JSON.parse(command).type)
  return isAction(named) ? named : ACTIONS[events.at(-1)?.type ?? 'data.refreshed']
}

type Changed = Extract<LiveMessage, { type: 'CHANGE' }>['payload']

/** `painted` of a graphic that no renderer can have painted yet. */
export type Unpainted = (graphic: OnAir) => LiveGraphic['painted']

/** CHANGE of one commit. `sinceOf`: when a graphic on air was shown; `unpainted`: its `painted` before any report. */
export function changeText(
  overlayId: number,
  row: JournalRow,
  { sinceOf, unpainted }: { sinceOf(graphic: OnAir): number; unpainted: Unpainted },
): string {
  const { seq, at, events, asides, principal, action } = row
  const shown: LiveGraphic[] = []
  const hidden: Changed['hidden'] = []
  for (const event of events) {
    if (event.type === 'graphic.hidden') {
      const { graphicId, graphicName, presetId, sectionId } = event
      hidden.push({ graphicId, graphicName, presetId, sectionId })
    } else if (event.type !== 'data.refreshed') {
      const { graphic } = event
      shown.push(liveGraphic({ graphic, seq, since: sinceOf(graphic), paintedAt: 0 }, unpainted(graphic)))
    }
  }
  const cursor = cursorOf(overlayId, { seq, at })
  const named = isAction(action) ? action : actionOf(undefined, events)
  return textOf({
    type: 'CHANGE',
    payload: {
      cursor,
      seq,
      at: moment(at),
      action: named,
      by: toldBy(principal),
      shown,
      hidden,
      ...(asides && beside(asides)),
    },
  })
}

type Beside = Pick<Changed, 'cued' | 'uncued' | 'scheduled' | 'unscheduled' | 'rehearsal' | 'rundown'>

/** What a commit did to preview, schedule and rundown, and whether it began or ended a rehearsal; a list that would be empty is left out. */
function beside(asides: readonly OverlayAside[]): Beside {
  const told: Beside = {}
  for (const aside of asides)
    switch (aside.type) {
      case 'graphic.cued':
        told.cued = [...(told.cued ?? []), liveCue(aside.graphic)]
        break
      case 'graphic.uncued': {
        const { type: _, ...named } = aside
        told.uncued = [...(told.uncued ?? []), named]
        break
      }
      case 'command.scheduled':
        told.scheduled = [...(told.scheduled ?? []), toldScheduled(aside.scheduled)]
        break
      case 'command.unscheduled': {
        const { id, outcome, reason = null } = aside
        told.unscheduled = [...(told.unscheduled ?? []), { id, outcome, reason }]
        break
      }
      case 'rehearsal.begun':
      case 'rehearsal.ended':
        told.rehearsal = aside.type === 'rehearsal.begun'
        break
      case 'rundown.moved':
        told.rundown = toldRundown(aside.position)
        break
    }
  return told
}
