import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { freePort } from '../../../bench/free-port.ts'
import { usedDataDirectory } from '../../support/data-dir.ts'
import { built, type Running, start } from '../../support/process.ts'
import { COARSE, Shot, still, type Windows } from './chromium.ts'

const SOON = { timeout: 60_000 }
const STARTS = { timeout: 120_000 }

type Preset = { id: number; name: string; graphicName: string }
type Graphics = Record<string, { variableValues: Record<string, unknown>; _service_presetId: number }>
/** An overlay as its read tells it. */
type Read = {
  manualGraphicState: Graphics
  previewState: Graphics
  scheduled: { id: number; at: string; presetId: number | null }[]
  controlRoomId: number
}
type Logged = {
  action: string
  at: string
  presetId: number | null
  values: Record<string, unknown> | null
  by: { type: string }
  painted: unknown[]
}

/** The demo on a server of its own that is killed as by a power cut, and one page that is on air. */
export class Show {
  /** What a person at the machine is told at its first start. */
  readonly overlayUrl: string
  readonly controlRoomUrl: string
  readonly screen: Page
  readonly #browser: Windows
  readonly #environment: Record<string, string>
  readonly #origin: string
  readonly #key: string
  #server: Running
  #presets: readonly Preset[] = []

  private constructor(
    browser: Windows,
    { server, environment, screen }: { server: Running; environment: Record<string, string>; screen: Page },
  ) {
    const told = (pattern: RegExp) => pattern.exec(server.stderr())?.[1] ?? ''
    this.#browser = browser
    this.#server = server
    this.#environment = environment
    this.screen = screen
    this.overlayUrl = told(/overlay +(\S+)/)
    this.controlRoomUrl = told(/control room +(\S+)/)
    this.#origin = new URL(this.overlayUrl).origin
    this.#key = told(/(service_\S+)/)
  }

  static async begin(browser: Windows): Promise<Show> {
    const environment = {
      DATA_DIR: usedDataDirectory(),
      HOST: '127.0.0.1',
      PORT: String(await freePort()),
      MEDIA_ENGINE: 'off',
    }
    const server = start([built('run/server.js')], environment)
    await expect.poll(server.stderr, STARTS).toContain('curl')
    const show = new Show(browser, { server, environment, screen: await browser.newPage(COARSE) })
    await show.screen.goto(show.overlayUrl)
    const { controlRoomId } = await show.overlay()
    show.#presets = (await show.#get<{ presets: Preset[] }>(`/v2/control-rooms/${controlRoomId}`)).presets
    return show
  }

  /** SIGKILL, and PostgreSQL stays behind. */
  async kill(): Promise<void> {
    this.#server.kill('SIGKILL')
    await this.#server.ended
  }

  async startAgain(): Promise<void> {
    this.#server = start([built('run/server.js')], this.#environment)
    await expect.poll(this.#server.stderr, STARTS).toContain('/overlay/')
  }

  overlay(): Promise<Read> {
    return this.#get<Read>('/v2/overlays/1')
  }

  /** The names of the presets on air, or on preview, as the server has it. */
  async presetsOf(bus: 'manualGraphicState' | 'previewState'): Promise<string[]> {
    const graphics = (await this.overlay())[bus]
    return Object.values(graphics)
      .map(({ _service_presetId }) => this.#nameOf(_service_presetId))
      .sort()
  }

  /** What the page on air shows: of each graphic that is in, the words in it. */
  words = async (): Promise<string[]> => {
    const frames = this.screen.frames().slice(1)
    const read = `document.documentElement.classList.contains('on') ? document.title + ': ' + document.body.innerText : ''`
    // a frame that is just gone shows nothing
    const texts = await Promise.all(frames.map((frame) => frame.evaluate(read).catch(() => '')))
    return texts
      .map((text) => String(text).replaceAll(/\s+/g, ' ').trim())
      .filter(Boolean)
      .sort()
  }

  /** The names of the graphics on the page on air. */
  graphicsShown = async () => (await this.words()).map((text) => text.split(':', 1)[0])

  /** Soon these presets, and no others, are on air: for the server, on the page on air, and on the pages of operators. */
  async airs(operators: readonly Page[], ...presets: string[]): Promise<void> {
    const graphics = [...presets].map((name) => this.#preset(name).graphicName).sort()
    await expect.poll(() => this.presetsOf('manualGraphicState'), SOON).toEqual([...presets].sort())
    await expect.poll(this.graphicsShown, SOON).toEqual(graphics)
    for (const page of operators) {
      const chips = () => page.locator('.bus-program .chip-name').allInnerTexts()
      await expect.poll(async () => (await chips()).sort(), SOON).toEqual([...presets].sort())
    }
  }

  /** Soon these presets are on preview, for the server and on the pages of operators. */
  async previews(operators: readonly Page[], ...presets: string[]): Promise<void> {
    await expect.poll(() => this.presetsOf('previewState'), SOON).toEqual([...presets].sort())
    for (const page of operators)
      for (const name of presets) await page.locator('.chip-cued', { hasText: name }).waitFor(SOON)
    for (const page of operators) await expect.poll(() => page.locator('.chip-cued').count(), SOON).toBe(presets.length)
  }

  /** The picture on air is the one that a page has which comes now and is told the state from nothing. */
  async isAsTold(): Promise<void> {
    const fresh = await this.#browser.newPage(COARSE)
    try {
      await fresh.goto(this.overlayUrl)
      const wanted = await still(this.screen)
      await expect.poll(async () => (await Shot.of(fresh)).equals(wanted), SOON).toBe(true)
    } finally {
      await fresh.close()
    }
  }

  /** The as-run log in words: action, preset, `off` for what went off, and who. */
  async asRun(): Promise<{ told: string; row: Logged }[]> {
    const { asRun } = await this.#get<{ asRun: Logged[] }>('/v2/overlays/1/as-run?limit=200')
    return asRun.map((row) => {
      const name = row.presetId === null ? '-' : this.#nameOf(row.presetId)
      return { told: `${row.action} ${name}${row.values === null ? ' off' : ''} (${row.by.type})`, row }
    })
  }

  #nameOf(presetId: number): string {
    return this.#presets.find(({ id }) => id === presetId)?.name ?? `preset ${presetId}`
  }

  #preset(wanted: string): Preset {
    const found = this.#presets.find(({ name }) => name === wanted)
    if (!found) throw new Error(`no preset ${wanted}`)
    return found
  }

  async #get<T>(path: string): Promise<T> {
    const answer = await fetch(`${this.#origin}/rest${path}`, { headers: { Authorization: `Bearer ${this.#key}` } })
    expect(answer.status).toBe(200)
    return (await answer.json()) as T
  }
}
