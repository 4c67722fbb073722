import { InstanceBase, InstanceStatus, type SomeCompanionConfigField } from '@companion-module/base'
import { actionsOf } from './actions.ts'
import { feedbacksOf } from './feedbacks.ts'
import { presetsOf } from './presets.ts'
import { Show } from './show.ts'
import type { Config, Secrets, Types, Variables } from './types.ts'
import { VARIABLES, valuesOf } from './variables.ts'

/** Clocks and countdowns go on between what the server says. */
const TICK_MS = 200

// biome-ignore lint/style/noDefaultExport: Companion constructs it
export default class TallyModule extends InstanceBase<Types> {
  #show: Show | undefined
  #running: AbortController | undefined
  #ticking: ReturnType<typeof setInterval> | undefined
  #values: Partial<Variables> = {}

  async init(config: Config, _isFirst: boolean, secrets: Secrets): Promise<void> {
    this.setVariableDefinitions(VARIABLES)
    this.#ticking = setInterval(() => this.#tick(), TICK_MS)
    await this.configUpdated(config, secrets)
  }

  async configUpdated(config: Config, secrets: Secrets): Promise<void> {
    this.#running?.abort()
    const { url = '', overlayId = 0 } = config
    const key = secrets?.key ?? ''
    if (!/^https?:\/\/./.test(url) || key === '') {
      this.updateStatus(InstanceStatus.BadConfig, 'Enter the address of the server (http://…) and an API key')
      return
    }
    const running = new AbortController()
    const show = new Show(
      { url, key, overlayId: Number(overlayId) },
      {
        // what an earlier show says late is not ours
        status: (status, message) => running.signal.aborted || this.updateStatus(status, message),
        room: () => running.signal.aborted || this.#define(show),
        live: () => running.signal.aborted || this.#light(),
        log: (message) => this.log('warn', message),
      },
    )
    this.#running = running
    this.#show = show
    this.#define(show)
    show.run(running.signal).catch((error) => this.log('error', String(error)))
  }

  async destroy(): Promise<void> {
    clearInterval(this.#ticking)
    this.#running?.abort()
  }

  getConfigFields(): SomeCompanionConfigField[] {
    const overlays = this.#show?.overlays ?? []
    return [
      { id: 'url', type: 'textinput', label: 'Address of the server', width: 8, default: 'http://localhost:8080' },
      {
        id: 'key',
        type: 'secret-text',
        label: 'API key',
        width: 8,
        description: 'With overlays:write; facts need matches:write',
      },
      {
        id: 'overlayId',
        type: 'dropdown',
        label: 'Overlay',
        width: 8,
        default: 0,
        choices: [
          { id: 0, label: 'The first one' },
          ...overlays.map(({ id, name }) => ({ id, label: `${name} (${id})` })),
        ],
        allowInvalidValues: true,
      },
    ]
  }

  #define(show: Show): void {
    this.setActionDefinitions(actionsOf(show, (message) => this.log('warn', message)))
    this.setFeedbackDefinitions(feedbacksOf(show))
    const { sections, presets } = presetsOf(show)
    this.setPresetDefinitions(sections, presets)
    this.#light()
  }

  /** Lamps first: they are what somebody looks at before the next press. */
  #light(): void {
    this.checkAllFeedbacks()
    this.#tell()
  }

  #tick(): void {
    const show = this.#show
    if (!show?.live) return
    if (this.#tell() && [...show.live.onAir.values()].some(({ until }) => until !== null))
      this.checkFeedbacks('timeLeft')
    if (show.live.undo) this.checkFeedbacks('undoable')
    // a lamp that waits for its paint turns though nothing is said
    if ([...show.live.onAir.values()].some(({ painted }) => painted.renderers === 0))
      this.checkFeedbacks('onAir', 'committed', 'failing')
  }

  /** Only what is another value now; answers whether something is. */
  #tell(): boolean {
    if (!this.#show) return false
    const values = valuesOf(this.#show, this.#show.now())
    const changed = Object.entries(values).filter(([name, value]) => this.#values[name as keyof Variables] !== value)
    if (changed.length === 0) return false
    this.#values = values
    this.setVariableValues(Object.fromEntries(changed))
    return true
  }
}

export const UpgradeScripts = []
