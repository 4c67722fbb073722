import { expect, test } from 'vitest'
import { nothingYet, told } from '../../../src/pages/live/state.ts'
import { seeded } from '../../support/random.ts'
import { type FakeRenderer, type FakeSocket, Studio, settle, shown } from '../../support/studio.ts'

/** A page that follows, as long as it is connected. */
class Page {
  state = nothingYet
  socket: FakeSocket | undefined
  /** Commits that it was told. */
  readonly heard: number[] = []
  readonly #studio: Studio

  constructor(studio: Studio) {
    this.#studio = studio
  }

  async connect(): Promise<void> {
    const query = this.state.cursor === undefined ? '' : `cursor=${this.state.cursor}`
    this.socket = await this.#studio.upgrade('/control/{token}/socket', { token: 'control-1' }, query)
    if (!this.socket) throw new Error('the upgrade was refused')
    const apply = (text: string) => {
      const message = JSON.parse(text)
      this.state = told(this.state, message)
      // what a page holds is always where the server says that it is
      if (message.type === 'PULSE') expect(this.state.cursor).toBe(message.payload.cursor)
      if (message.type === 'CHANGE') this.heard.push(message.payload.seq)
    }
    this.socket.frames.forEach(apply)
    this.socket.onFrame = apply
  }

  disconnect(): void {
    this.socket?.end(1006, '')
    this.socket = undefined
  }
}

test.each([1, 2, 3, 4, 5])(
  '[issue 6.2] a page that loses its connection again and again ends with what a new one is told (seed %i)',
  async (seed) => {
    const random = seeded(seed)
    const studio = new Studio()
    let called = 'Player'
    studio.names = ({ values }) => (Number(values.n) > 4 ? { n: `${called} ${values.n}` } : {})
    const page = new Page(studio)
    await page.connect()
    await settle()
    const renderers: FakeRenderer[] = [await studio.render(1), await studio.render(1)]
    const graphic = () => `g${random.below(4)}`
    const steps: (() => unknown)[] = [
      () => studio.show(1, graphic(), { n: random.below(9) }),
      () => studio.update(1, graphic(), { n: random.below(9) }),
      () => studio.command(1, { type: 'hide', graphicId: graphic() }),
      () => studio.command(1, { type: 'hideAll' }),
      () => studio.command(1, { type: 'refresh', revisions: { 'match/1': random.below(99) } }),
      () => studio.setDelay(1, random.below(3)),
      () => renderers[random.below(2)]?.socket.painted(graphic(), studio.state(1).seq),
      () => {
        called = `Player of team ${random.below(9)}`
        studio.hub.followings.recordChanged('team/1', 1)
      },
      () => page.disconnect(),
      () => (page.socket ? undefined : page.connect()),
      () => (page.socket ? undefined : page.connect()),
      () => studio.clock.advance(random.below(400)),
      () => settle(),
    ]
    for (let step = 0; step < 400; step++) await steps[random.below(steps.length)]?.()
    if (!page.socket) await page.connect()
    await settle()
    studio.clock.advance(3_000)
    await settle()
    const fresh = new Page(studio)
    await fresh.connect()
    await settle()
    const known = ({ seq, overlay, onAir, renderers, match }: Page['state']) => ({
      seq,
      overlay,
      onAir: [...onAir.values()].sort((a, b) => a.graphicId.localeCompare(b.graphicId)),
      renderers,
      match,
    })
    expect(known(page.state)).toEqual(known(fresh.state))
    for (const { names, variableValues } of page.state.onAir.values())
      expect(names).toEqual(
        studio.names({ ...shown('g'), values: variableValues }).n && { n: `${called} ${variableValues.n}` },
      )
    expect(page.heard.length).toBeGreaterThan(20)
    expect(page.heard).toEqual([...new Set(page.heard)].sort((a, b) => a - b))
  },
)
