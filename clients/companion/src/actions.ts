import type { CompanionActionDefinitions, SomeCompanionActionInputField } from '@companion-module/base'
import type { Schema } from '@tally/client'
import { lampOf } from './lamps.ts'
import type { Show } from './show.ts'
import type { Actions } from './types.ts'

type Command = Schema<'GraphicsCommand'>

/** The presets of the room as a list to choose from, or to write an id or expression into. */
export const presetChoice = (show: Show, none?: string) => {
  const names = new Map(show.room.sections.map(({ id, name }) => [id, name]))
  const choices = show.room.presets.map(({ id, name, sectionId }) => ({
    id,
    label: `${names.get(sectionId) ?? ''}: ${name}`,
  }))
  return {
    id: 'presetId' as const,
    type: 'dropdown' as const,
    label: 'Preset',
    choices: none === undefined ? choices : [{ id: 0, label: none }, ...choices],
    default: none === undefined ? (choices[0]?.id ?? 0) : 0,
    allowInvalidValues: true,
  }
}

/** A choice of these, the first one at first. */
const oneOf = <Id extends string>(id: Id, label: string, labels: Readonly<Record<string, string>>) => {
  const choices = Object.entries(labels).map(([choice, text]) => ({ id: choice, label: text }))
  return { id, type: 'dropdown' as const, label, choices, default: choices[0]?.id ?? '' }
}

const duration: SomeCompanionActionInputField<'durationSeconds'> = {
  id: 'durationSeconds',
  type: 'number',
  label: 'Seconds',
  description: 'Goes off by itself after so many seconds; 0: it stays',
  default: 0,
  min: 0,
  max: 3600,
}

/** What buttons do. `told` is called with what a server refused, for the log. */
export function actionsOf(show: Show, told: (message: string) => void): CompanionActionDefinitions<Actions> {
  const path = () => ({ overlayId: show.overlay?.id ?? 0 })
  const doing = async (what: string, work: () => Promise<unknown>) => {
    try {
      await work()
    } catch (error) {
      told(`${what}: ${error instanceof Error ? error.message : String(error)}`)
      throw error
    }
  }
  const command = (body: Command) =>
    doing(body.action, () => show.tally.post('/v2/overlays/{overlayId}/graphics/commands', { path: path(), body }))
  const plan = (what: 'pause' | 'resume') =>
    doing(what, () => show.tally.post(`/v2/overlays/{overlayId}/game-plan/${what}`, { path: path() }))
  const timed = (seconds: number) => (seconds > 0 ? { durationSeconds: seconds } : {})
  const preset = presetChoice(show)

  return {
    show: {
      name: 'Show a graphic',
      options: [preset, duration],
      callback: ({ options }) =>
        command({ action: 'show', presetId: options.presetId, ...timed(options.durationSeconds) }),
    },
    hide: {
      name: 'Hide a graphic',
      options: [preset],
      callback: ({ options }) => command({ action: 'hide', presetId: options.presetId }),
    },
    toggle: {
      name: 'Show or hide a graphic',
      description: 'Hides it when it is on air, and shows it when it is not',
      options: [preset, duration],
      callback: ({ options: { presetId, durationSeconds } }) => {
        const lamp = lampOf(show, presetId)
        const isThere = lamp === 'onAir' || lamp === 'committed' || lamp === 'failing'
        return command(isThere ? { action: 'hide', presetId } : { action: 'show', presetId, ...timed(durationSeconds) })
      },
    },
    update: {
      name: 'Change a value of a graphic on air',
      options: [
        preset,
        { id: 'variable', type: 'textinput', label: 'Variable', default: '' },
        {
          ...oneOf('kind', 'Kind', { text: 'Text', number: 'Number', switch: 'Yes or no' }),
          disableAutoExpression: true,
        },
        { id: 'value', type: 'textinput', label: 'Value', default: '' },
      ],
      callback: ({ options: { presetId, variable, kind, value } }) =>
        command({ action: 'update', presetId, variableValues: { [variable]: valueAs(kind, value) } }),
    },
    cue: {
      name: 'Cue a graphic',
      options: [preset],
      callback: ({ options }) => command({ action: 'cue', presetId: options.presetId }),
    },
    uncue: {
      name: 'Take a graphic off preview',
      options: [preset],
      callback: ({ options }) => command({ action: 'uncue', presetId: options.presetId }),
    },
    take: {
      name: 'Take',
      description: 'Puts what is cued on air, in one picture',
      options: [presetChoice(show, 'All that is cued'), duration],
      callback: ({ options: { presetId, durationSeconds } }) =>
        command({ action: 'take', ...(presetId > 0 && { presetId }), ...timed(durationSeconds) }),
    },
    step: {
      name: 'Step of a graphic',
      description: 'Of an OGraf graphic with several steps: the next one, or so many on',
      options: [preset, { id: 'delta', type: 'number', label: 'Steps', default: 1, min: -100, max: 100 }],
      callback: ({ options: { presetId, delta } }) => command({ action: 'step', presetId, delta }),
    },
    hideAll: {
      name: 'Hide all',
      options: [{ id: 'scheduled', type: 'checkbox', label: 'Also what is cued and scheduled', default: false }],
      callback: ({ options }) => command({ action: 'hideAll', ...(options.scheduled && { scheduled: true }) }),
    },
    undo: {
      name: 'Undo',
      description: 'Takes back the last command, within 30 seconds of it',
      options: [],
      callback: () => {
        const seq = show.live?.undo?.seq
        return command({ action: 'undo', ...(seq !== undefined && { seq }) })
      },
    },
    fact: {
      name: 'Tell a fact of the match',
      description: 'A goal, a card, the start of a period, in the words of the sport. Needs a key with matches:write',
      options: [
        { id: 'type', type: 'textinput', label: 'Type', default: 'goal' },
        oneOf('team', 'Team', { home: 'Home', away: 'Away', none: 'None' }),
        {
          id: 'playerId',
          type: 'number',
          label: 'Player id',
          description: '0: not known',
          default: 0,
          min: 0,
          max: 2_147_483_647,
        },
      ],
      callback: ({ options: { type, team, playerId } }) =>
        doing(type, async () => {
          const { id: matchId, homeTeamId, awayTeamId } = await show.readMatch()
          const body = {
            type,
            ...(team !== 'none' && { teamId: team === 'home' ? homeTeamId : awayTeamId }),
            ...(playerId > 0 && { playerId }),
          }
          await show.tally.post('/v2/matches/{matchId}/facts', {
            path: { matchId },
            body: body as Schema<'FactCreation'>,
          })
        }),
    },
    pausePlan: { name: 'Pause the game plan', options: [], callback: () => plan('pause') },
    resumePlan: { name: 'Resume the game plan', options: [], callback: () => plan('resume') },
  }
}

function valueAs(kind: Actions['update']['options']['kind'], value: unknown): string | number | boolean {
  if (kind === 'number') return Number(value)
  return kind === 'switch' ? /^(true|yes|on|1)$/i.test(String(value)) : String(value ?? '')
}
