import { expect, test } from 'vitest'
import { freePort } from '../../bench/free-port.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { built, start } from '../support/process.ts'
import { COARSE, noChromium, openWindows, Shot, seen } from './support/chromium.ts'

/** In the lower third that the banner's curl shows. */
const INSIDE = [130, 960] as const

test.skipIf(noChromium)(
  '[issue: done when] the plug is pulled: the picture stands, and the page comes back with exactly what was on air',
  {
    timeout: 240_000,
  },
  async () => {
    const environment = { DATA_DIR: temporaryDirectory(), HOST: '127.0.0.1', PORT: String(await freePort()) }
    const first = start([built('run/server.js')], environment)
    await expect.poll(first.stderr, { timeout: 120_000 }).toContain('curl')
    const told = (pattern: RegExp) => pattern.exec(first.stderr())?.[1] ?? ''
    const command = async (body: object) => {
      const answer = await fetch(told(/curl -X POST (\S+)/), {
        method: 'POST',
        headers: { Authorization: `Bearer ${told(/(service_\S+)/)}`, 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      })
      return answer.status
    }
    const { presetId } = JSON.parse(told(/-d '(.*)'/))

    const browser = await openWindows()
    try {
      const page = await browser.newPage(COARSE)
      await page.goto(told(/overlay +(\S+)/))
      expect(await command({ action: 'show', presetId })).toBe(200)
      await seen(page, (shot) => shot.at(...INSIDE)[3] === 255)
      expect(await command({ action: 'update', presetId, variableValues: { name: 'Before' } })).toBe(200)
      const names = () => Promise.all(page.frames().map((frame) => frame.locator('#name').allTextContents()))
      await expect.poll(names).toContainEqual(['Before'])

      first.kill('SIGKILL')
      await first.ended
      const before = (await Shot.of(page)).box
      expect(before.right).toBeGreaterThan(INSIDE[0])

      const again = start([built('run/server.js')], environment)
      await expect.poll(again.stderr, { timeout: 120_000 }).toContain('/overlay/')
      expect((await Shot.of(page)).box).toEqual(before)
      // an update of what is not on air would be refused
      expect(await command({ action: 'update', presetId, variableValues: { name: 'Afterwards' } })).toBe(200)
      await expect.poll(names).toContainEqual(['Afterwards'])
      expect(await command({ action: 'hideAll' })).toBe(200)
      await seen(page, (shot) => shot.painted === 0)
    } finally {
      await browser.close()
    }
  },
)
