import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { startApp } from '../support/app.ts'
import { seedDemo } from '../support/demo.ts'
import { liveSource, plainPicture } from '../support/media.ts'
import { noBurnIn, startedProgram, within } from '../support/program.ts'
import { near, type Rgb } from '../support/video-sink.ts'

/** Within the score bug, in a picture of 640 pixels. */
const BUG = [52, 24] as const
const DELAY_SECONDS = 2
const TURNS = 2

const isInput = near(255, 255, 255)
/** The colour of the home team. */
const isGraphic = near(180, 17, 42)
const isNot = (is: (colour: Rgb) => boolean) => (colour: Rgb) => !is(colour)

async function burnedDemo() {
  const app = await startApp()
  onTestFinished(() => app.close())
  const demo = await seedDemo(app, 'Demo', 'built')
  const source = await liveSource(0, plainPicture('white'))
  const { sink, up, program } = await startedProgram({ pageUrl: `${demo.overlay.url}?renderer=burned-in` }, source)
  await up()
  const call = async (method: string, path: string, body: object) => {
    const answer = await app.call(method, path, { key: demo.apiKey, body })
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  }
  const presetId = demo.presets.find(({ name }) => name === 'Score bug')?.id
  const fire = (action: 'show' | 'hide') =>
    call('POST', `/v2/overlays/${demo.overlay.id}/control-room/graphics`, { action, presetId })
  return {
    app,
    program,
    sink,
    delayBy: (encodingDelay: number) => call('PATCH', `/v1/overlays/${demo.overlay.id}`, { encodingDelay }),
    /** Milliseconds from each command to the first picture that differs. */
    async turn() {
      const shownAt = performance.now()
      await fire('show')
      const shown = (await sink.seen(...BUG, isNot(isInput))) - shownAt
      await sink.settled(...BUG, isGraphic)
      const hiddenAt = performance.now()
      await fire('hide')
      const hidden = (await sink.seen(...BUG, isNot(isGraphic))) - hiddenAt
      await sink.settled(...BUG, isInput)
      return { shown, hidden }
    },
    ready: () =>
      vi.waitFor(
        async () => expect(await (await fetch(`${app.origin}/metrics`)).text()).toMatch(/renderers\S* 1/),
        within,
      ),
  }
}

describe.skipIf(noBurnIn)('the delay of graphics in the burned-in picture', () => {
  test('[issue 5.6] encodingDelay shows and hides graphics exactly that much later, without a restart', async () => {
    const { turn, delayBy, ready } = await burnedDemo()
    await ready()
    // the first show mounts the graphic
    await turn()
    const turns = async () => {
      const all: { shown: number; hidden: number }[] = []
      for (let count = 0; count < TURNS; count++) all.push(await turn())
      // others share the machine with this test
      return { shown: Math.min(...all.map(({ shown }) => shown)), hidden: Math.min(...all.map(({ hidden }) => hidden)) }
    }
    const before = await turns()
    await delayBy(DELAY_SECONDS)
    const after = await turns()
    for (const action of ['shown', 'hidden'] as const) {
      expect(before[action]).toBeLessThan(1_500)
      expect(Math.abs(after[action] - before[action] - DELAY_SECONDS * 1_000)).toBeLessThan(250)
    }
  })
})
