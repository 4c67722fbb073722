import { rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'
import { BLOCK, block } from './support/block.ts'
import { painted, until } from './support/broadcast.ts'
import { type Colour, like, noChromium, Shot, seen } from './support/chromium.ts'
import { type Stage, stageForEach } from './support/stage.ts'

const RED: Colour = [255, 0, 0, 255]
const INSIDE = [BLOCK.x + 20, BLOCK.y + 20] as const

let stage: Stage

describe.skipIf(noChromium)('the overlay page as a file', () => {
  stageForEach((given) => {
    stage = given
    stage.broadcast.bundles.set('block', block())
  })

  /** What `/overlay/{key}/file` answers, on the disk of the video software. */
  const saved = async (query = '') => {
    const { broadcast } = stage
    const answer = await fetch(`${broadcast.origin}/overlay/${broadcast.key}/file${query}`)
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="tally-overlay.html"')
    const path = join(tmpdir(), `overlay-${process.pid}-${Date.now()}.html`)
    await writeFile(path, await answer.text())
    onTestFinished(() => rm(path))
    return pathToFileURL(path).href
  }

  test('opened before the server is up it is transparent, and shows what is on air once the server is there', async () => {
    const { broadcast, page } = stage
    const file = await saved()
    await broadcast.stop()
    broadcast.show('a', 'block', { colour: 'red' })
    await page.goto(file)
    await until('it was asked for in vain', () => page.frames()[1]?.url().startsWith('chrome-error:'))
    expect((await Shot.of(page)).painted).toBe(0)
    await broadcast.start()
    await painted(broadcast, 'a', 1)
    await seen(page, (shot) => like(shot.at(...INSIDE), RED))
    // it asks no more, so what is on air stays
    await page.waitForTimeout(1_500)
    expect(broadcast.readies).toHaveLength(1)
  })

  test('what its address was asked for with goes to the page', async () => {
    const { broadcast, page } = stage
    await page.goto(await saved("?layers=b,it's%20%22<i>&renderer=caster"))
    broadcast.show('a', 'block', { colour: 'green' })
    await painted(broadcast, 'b', broadcast.show('b', 'block', { colour: 'red' }))
    await seen(page, (shot) => like(shot.at(...INSIDE), RED))
    expect(broadcast.readies[0]?.renderer).toMatch(/^caster-/)
  })
})
