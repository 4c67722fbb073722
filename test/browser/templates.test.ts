import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, test } from 'vitest'
import { type Broadcast, painted } from './support/broadcast.ts'
import { noChromium } from './support/chromium.ts'
import { type Stage, stageForEach } from './support/stage.ts'

/** The snippet of the guide for designers, as it is copied. */
const [caspar = ''] = Array.from(
  readFileSync('docs/design.md', 'utf8').matchAll(/```html\n([\s\S]*?)```/g),
  ([, code = '']) => code,
)

const template = `<!doctype html><body><script>
  const calls = []
  function update(text) { calls.push('update ' + JSON.parse(text).f0) }
  function play() { calls.push('play') }
  function stop() { calls.push('stop') }
</script>`

let broadcast: Broadcast
let page: Page
let open: Stage['open']

describe.skipIf(noChromium)('templates made for other renderers, with what the guide puts beside them', () => {
  stageForEach((stage) => {
    ;({ broadcast, page, open } = stage)
  })
  beforeEach(() => {
    broadcast.bundles.set('caspar', template + caspar)
  })

  const callsOf = (bundle: string) =>
    page
      .frames()
      .find((frame) => frame.url().includes(`/bundles/${bundle}/`))
      ?.evaluate('calls')

  test('CasparCG: shown, shown again, updated and hidden', async () => {
    const bundle = 'caspar'
    await open()
    await painted(broadcast, 'a', broadcast.show('a', bundle, { f0: 'one' }))
    await painted(broadcast, 'a', broadcast.show('a', bundle, { f0: 'two' }))
    await painted(broadcast, 'a', broadcast.update('a', { f0: 'three' }))
    await painted(broadcast, 'a', broadcast.hide('a'))
    await painted(broadcast, 'a', broadcast.show('a', bundle, { f0: 'four' }))
    const all = ['update one', 'play', 'update two', 'update three', 'stop', 'update four', 'play']
    expect(await callsOf(bundle)).toEqual(all)
  })
})
