import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, test } from 'vitest'
import { type Broadcast, painted } from './support/broadcast.ts'
import { noChromium } from './support/chromium.ts'
import { type Stage, stageForEach } from './support/stage.ts'

/** The snippets of the guide for designers, as they are copied. */
const [caspar = '', ograf = ''] = Array.from(
  readFileSync('docs/design.md', 'utf8').matchAll(/```html\n([\s\S]*?)```/g),
  ([, code = '']) => code,
)

const template = `<!doctype html><body><script>
  const calls = []
  function update(text) { calls.push('update ' + JSON.parse(text).f0) }
  function play() { calls.push('play') }
  function stop() { calls.push('stop') }
</script>`

const graphic = `window.calls = []
  export default class extends HTMLElement {
    async load({ renderType }) { calls.push('load ' + renderType) }
    async updateAction({ data }) { calls.push('update ' + data.f0) }
    async playAction({ skipAnimation }) { calls.push('play'); if (skipAnimation) calls.push('settled') }
    async stopAction() { calls.push('stop') }
  }`

let broadcast: Broadcast
let page: Page
let open: Stage['open']

describe.skipIf(noChromium)('templates made for other renderers, with what the guide puts beside them', () => {
  stageForEach((stage) => {
    ;({ broadcast, page, open } = stage)
  })
  beforeEach(() => {
    broadcast.bundles.set('caspar', template + caspar)
    broadcast.files.set('ograf/index.html', ograf)
    broadcast.files.set('ograf/graphic.mjs', graphic)
  })

  const callsOf = (bundle: string) =>
    page
      .frames()
      .find((frame) => frame.url().includes(`/bundles/${bundle}/`))
      ?.evaluate('calls')

  test.each([
    ['CasparCG', 'caspar', []],
    ['OGraf', 'ograf', ['load realtime']],
  ])('%s: shown, shown again, updated and hidden', async (_, bundle, first) => {
    await open()
    await painted(broadcast, 'a', broadcast.show('a', bundle, { f0: 'one' }))
    await painted(broadcast, 'a', broadcast.show('a', bundle, { f0: 'two' }))
    await painted(broadcast, 'a', broadcast.update('a', { f0: 'three' }))
    await painted(broadcast, 'a', broadcast.hide('a'))
    await painted(broadcast, 'a', broadcast.show('a', bundle, { f0: 'four' }))
    const all = ['update one', 'play', 'update two', 'update three', 'stop', 'update four', 'play']
    expect(await callsOf(bundle)).toEqual([...first, ...all])
  })
})
