import { type CompanionFeedbackDefinitions, combineRgb } from '@companion-module/base'
import { presetChoice } from './actions.ts'
import { isCued, type Lamp, lampOf, secondsLeft } from './lamps.ts'
import type { Show } from './show.ts'
import type { Feedbacks } from './types.ts'

const WHITE = combineRgb(255, 255, 255)
const BLACK = combineRgb(0, 0, 0)

export const STYLES = {
  onAir: { bgcolor: combineRgb(204, 20, 32), color: WHITE },
  committed: { bgcolor: combineRgb(245, 166, 35), color: BLACK },
  failing: { bgcolor: combineRgb(136, 46, 201), color: WHITE },
  cued: { bgcolor: combineRgb(18, 138, 62), color: WHITE },
  disconnected: { bgcolor: combineRgb(60, 60, 60), color: combineRgb(150, 150, 150) },
} as const

/** What lights a button: all of it is what the server said, never what a button was pressed for. */
export function feedbacksOf(show: Show): CompanionFeedbackDefinitions<Feedbacks> {
  const preset = presetChoice(show)
  const lamp = (name: string, description: string, lit: Lamp & keyof typeof STYLES) => ({
    type: 'boolean' as const,
    name,
    description,
    defaultStyle: STYLES[lit],
    options: [preset],
    callback: ({ options }: { options: { presetId: number } }) => lampOf(show, options.presetId) === lit,
  })
  const truth = (name: string, defaultStyle: { bgcolor: number; color: number }, callback: () => boolean) => ({
    type: 'boolean' as const,
    name,
    defaultStyle,
    options: [],
    callback,
  })
  return {
    onAir: lamp('On air', 'At least one renderer has painted it', 'onAir'),
    committed: lamp('Committed', 'It is to be on air, and no renderer has painted it', 'committed'),
    failing: lamp('Failing', 'Renderers are connected, and none has painted it in time', 'failing'),
    cued: {
      ...lamp('Cued', 'The next take puts it on air', 'cued'),
      // one on air may be cued with other values
      callback: ({ options }) => show.live !== undefined && isCued(show.live, options.presetId),
    },
    timeLeft: {
      type: 'advanced',
      name: 'Time left',
      description: 'The seconds until it goes off by itself, in place of its name',
      options: [preset],
      callback: ({ options }) => {
        const seconds = secondsLeft(show.live, show.now(), options.presetId)
        const { name } = show.room.presets.find(({ id }) => id === options.presetId) ?? {}
        return seconds === undefined ? {} : { text: `${name ?? ''}\\n${seconds} s` }
      },
    },
    anyCued: truth('Something is cued', STYLES.cued, () => (show.live?.preview.size ?? 0) > 0),
    undoable: truth(
      'There is something to undo',
      { bgcolor: combineRgb(30, 90, 200), color: WHITE },
      () => (Date.parse(show.live?.undo?.until ?? '') || 0) > show.now(),
    ),
    rendererLost: {
      type: 'boolean',
      name: 'A renderer is lost',
      description: 'Fewer are connected than there should be: 2 for a main and a spare one',
      defaultStyle: STYLES.failing,
      options: [{ id: 'wanted', type: 'number', label: 'Renderers', default: 1, min: 1, max: 100 }],
      // buttons of an earlier version have no number
      callback: ({ options: { wanted = 1 } }) => show.live !== undefined && show.live.renderers.length < wanted,
    },
    planPaused: truth('The game plan is paused', STYLES.committed, () => show.live?.plan?.paused === true),
    disconnected: truth('The connection is lost', STYLES.disconnected, () => show.live === undefined),
  }
}
