import { PassThrough } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { connectDevtools, type Devtools } from '../../../src/media/program/devtools.ts'
import { OverlayPage } from '../../../src/media/program/page.ts'

/** A browser as Chromium is: it packs one picture after the other, and while two are on their way it leaves the next ones out. */
class Browser implements Devtools {
  started = 0
  page: OverlayPage | undefined
  #content = 'empty'
  #casting = false
  #onTheirWay = 0
  #packing: { data: string; timestamp: number; sessionId: number }[] = []

  show(content: string): void {
    this.#content = content
    if (!this.#casting || this.#onTheirWay === 2) return
    this.#onTheirWay++
    const data = Buffer.from(content).toString('base64')
    this.#packing.push({ data, timestamp: Date.now() / 1_000, sessionId: this.started })
  }

  /** The next picture is packed. */
  pack(): void {
    const picture = this.#packing.shift()
    if (!picture) return
    const { timestamp, ...told } = picture
    this.#tell('Page.screencastFrame', { ...told, metadata: { timestamp } })
  }

  async send(method: string, { sessionId }: Record<string, unknown> = {}): Promise<Record<string, unknown>> {
    switch (method) {
      case 'Target.getTargets':
        return { targetInfos: [{ type: 'page', targetId: 'T' }] }
      case 'Target.attachToTarget':
        return { sessionId: 'S' }
      case 'Page.navigate':
        queueMicrotask(() => this.#tell('Page.lifecycleEvent', { name: 'load', loaderId: 'L' }))
        return { loaderId: 'L' }
      case 'Runtime.evaluate':
        return { result: { value: 200 } }
      case 'Page.stopScreencast':
        this.#casting = false
        break
      case 'Page.startScreencast':
        this.started++
        this.#casting = true
        this.#onTheirWay = 0
        this.show(this.#content)
        break
      case 'Page.screencastFrameAck':
        if (sessionId === this.started) this.#onTheirWay--
    }
    return {}
  }

  close(): void {}

  #tell(method: string, params: Record<string, unknown>): void {
    this.page?.hear({ method, params, sessionId: 'S' })
  }
}

async function opened() {
  const browser = new Browser()
  const pictures: string[] = []
  const page = await OverlayPage.of(
    browser,
    { width: 2, height: 2 },
    {
      png: (bytes) => void pictures.push(Buffer.from(bytes).toString()),
      failed: (reason) => expect.unreachable(reason),
    },
  )
  browser.page = page
  await page.open('http://overlay.invalid/')
  /** As many frames of the program, and what the browser packs meanwhile. */
  const frames = async (count: number) => {
    for (let frame = 0; frame < count; frame++) {
      browser.pack()
      page.frameTaken()
      await pause(2)
    }
  }
  await frames(3)
  expect(pictures).toEqual(['empty'])
  return { browser, pictures, frames }
}

test('[issue 5.6] the last of many changes comes, also when the browser is slow to pack those before it', async () => {
  const { browser, pictures, frames } = await opened()
  for (const content of ['one', 'two', 'the last']) browser.show(content)
  // each is taken before the next is packed
  await frames(8)
  expect(pictures.at(-1)).toBe('the last')
  expect(browser.started).toBe(2)
})

test('a change now and then is drawn once', async () => {
  const { browser, pictures, frames } = await opened()
  for (const content of ['12:01', '12:02', '12:03']) {
    browser.show(content)
    await frames(5)
  }
  expect(pictures).toEqual(['empty', '12:01', '12:02', '12:03'])
  expect(browser.started).toBe(1)
})

test('a check under way when the browser ends has the reason, and one that is refused is of a page that does not answer', async () => {
  const [to, from] = [new PassThrough(), new PassThrough()]
  const devtools = connectDevtools(to, from, () => {})
  let answer: object | undefined = { result: { sessionId: 'S', targetInfos: [{ type: 'page', targetId: 'T' }] } }
  to.on('data', (sent: Buffer) => {
    for (const text of sent.toString().split('\0').filter(Boolean))
      if (answer) from.write(`${JSON.stringify({ id: JSON.parse(text).id, ...answer })}\0`)
  })
  const page = await OverlayPage.of(devtools, { width: 2, height: 2 }, { png: () => {}, failed: () => {} })
  answer = { error: { message: 'Cannot find default execution context' } }
  await expect(page.check()).rejects.toThrow('The overlay page does not answer')
  answer = undefined
  const checking = page.check()
  devtools.close('The browser ended (SIGKILL)')
  await expect(checking).rejects.toThrow('The browser ended (SIGKILL)')
  await expect(page.check()).rejects.toThrow('The browser ended (SIGKILL)')
})
