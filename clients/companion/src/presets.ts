import {
  type CompanionPresetDefinition,
  type CompanionPresetDefinitions,
  type CompanionPresetSection,
  combineRgb,
} from '@companion-module/base'
import { sectionColour } from '../../../src/pages/ui/section-colour.ts'
import { STYLES } from './feedbacks.ts'
import type { Show } from './show.ts'
import type { Types } from './types.ts'

type Preset = CompanionPresetDefinition<Types>
type Step = Preset['steps'][number]['down'][number]
type Lit = Preset['feedbacks'][number]

const WHITE = combineRgb(255, 255, 255)
/** How much of the colour of its section an unlit button has: lamps are brighter. */
const UNLIT = 0.28

function darkened(colour: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => Math.round(Number.parseInt(colour.slice(at, at + 2), 16) * UNLIT))
  return combineRgb(r, g, b)
}

const button = (
  name: string,
  bgcolor: number,
  down: Step | null,
  feedbacks: Lit[],
  keywords: string[] = [],
): Preset => ({
  type: 'simple',
  name,
  keywords,
  style: { text: name, size: 'auto', color: WHITE, bgcolor, show_topbar: false },
  steps: [{ down: down ? [down] : [], up: [] }],
  feedbacks,
})

/** Buttons of the control room: a section for each of its own, and one for what is of the whole show. */
export function presetsOf({ room }: Pick<Show, 'room'>): {
  sections: CompanionPresetSection<Types>[]
  presets: CompanionPresetDefinitions<Types>
} {
  const presets: CompanionPresetDefinitions<Types> = {}
  const sections = room.sections.map(({ id, name, colorKey }): CompanionPresetSection<Types> => {
    const own = room.presets.filter(({ sectionId }) => sectionId === id)
    const bgcolor = darkened(sectionColour(colorKey))
    for (const preset of own) {
      const options = { presetId: preset.id }
      const lamps: Lit[] = [
        { feedbackId: 'cued', options, style: STYLES.cued },
        { feedbackId: 'committed', options, style: STYLES.committed },
        { feedbackId: 'onAir', options, style: STYLES.onAir },
        { feedbackId: 'failing', options, style: STYLES.failing },
        { feedbackId: 'timeLeft', options },
        { feedbackId: 'disconnected', options: {}, style: STYLES.disconnected },
      ]
      const words = [name, preset.name]
      presets[`show-${preset.id}`] = button(
        preset.name,
        bgcolor,
        { actionId: 'toggle', options: { ...options, durationSeconds: 0 } },
        lamps,
        words,
      )
      presets[`cue-${preset.id}`] = button(preset.name, bgcolor, { actionId: 'cue', options }, lamps, [...words, 'cue'])
    }
    const group = (kind: 'show' | 'cue', title: string) => ({
      id: `${kind}-${id}`,
      type: 'simple' as const,
      name: title,
      presets: own.map((preset) => `${kind}-${preset.id}`),
    })
    return { id: `section-${id}`, name, definitions: [group('show', 'Show and hide'), group('cue', 'Cue')] }
  })
  Object.assign(presets, ofTheShow())
  return {
    sections: [...sections, { id: 'show-control', name: 'Show control', definitions: Object.keys(ofTheShow()) }],
    presets,
  }
}

function ofTheShow(): Record<string, Preset> {
  const plain = combineRgb(28, 34, 48)
  const lost: Lit = { feedbackId: 'disconnected', options: {}, style: STYLES.disconnected }
  const score = (side: 'home' | 'away'): Preset => ({
    ...button(
      `$(tally:${side}_name)\\n$(tally:${side}_score)`,
      plain,
      { actionId: 'fact', options: { type: 'goal', team: side, playerId: 0 } },
      [lost],
    ),
    name: side === 'home' ? 'Goal of the home team' : 'Goal of the away team',
  })
  return {
    take: button('TAKE', plain, { actionId: 'take', options: { presetId: 0, durationSeconds: 0 } }, [
      { feedbackId: 'anyCued', options: {}, style: STYLES.cued },
      lost,
    ]),
    hideAll: button('HIDE ALL', combineRgb(90, 12, 18), { actionId: 'hideAll', options: { scheduled: false } }, [lost]),
    undo: button('UNDO', plain, { actionId: 'undo', options: {} }, [
      { feedbackId: 'undoable', options: {}, style: { bgcolor: combineRgb(30, 90, 200), color: WHITE } },
      lost,
    ]),
    pausePlan: button('PAUSE PLAN', plain, { actionId: 'pausePlan', options: {} }, [
      { feedbackId: 'planPaused', options: {}, style: STYLES.committed },
      lost,
    ]),
    resumePlan: button('RESUME PLAN', plain, { actionId: 'resumePlan', options: {} }, [lost]),
    clock: {
      ...button(
        '$(tally:period)\\n$(tally:clock)',
        plain,
        { actionId: 'fact', options: { type: 'periodStart', team: 'none', playerId: 0 } },
        [lost],
      ),
      name: 'Clock; starts the next period',
    },
    goalHome: score('home'),
    goalAway: score('away'),
    renderers: {
      ...button('SCREENS\\n$(tally:renderers)', plain, null, [
        { feedbackId: 'rendererLost', options: { wanted: 1 }, style: STYLES.failing },
        lost,
      ]),
      name: 'Connected renderers',
    },
  }
}
