import { type Browser, type CDPSession, chromium, type Page } from 'playwright-core'
import sharp from 'sharp'
import { chromiumPath, shellPath } from '../../support/browsers.ts'
import { noteUnavailable } from '../../support/unavailable.ts'

/** True where no Chromium is installed: these tests need a real one. */
export const noChromium = chromiumPath === undefined

/** What a file has open in the one browser of its process; to be closed by the file. */
export type Windows = Pick<Browser, 'newContext' | 'newPage' | 'close'>

/** By path: files of one process come one after another, and a profile of its own each context has anyway. */
const running = new Map<string, Promise<Browser>>()

/** Windows with profiles of their own; `whole`: in the engine that has frames of other origins in a process of their own. */
export async function openWindows({ whole = false } = {}): Promise<Windows> {
  const browser = await started((whole ? chromiumPath : shellPath) ?? '')
  const open = new Set<{ close(): Promise<void> }>()
  const noted = async <T extends { close(): Promise<void> }>(opening: Promise<T>) => {
    const opened = await opening
    open.add(opened)
    return opened
  }
  return {
    newContext: async (options) => {
      const context = await noted(browser.newContext(options))
      noteUnavailable(context)
      return context
    },
    newPage: async (options) => {
      const page = await noted(browser.newPage(options))
      noteUnavailable(page.context())
      return page
    },
    close: async () => {
      await Promise.all([...open].map((one) => one.close()))
      open.clear()
    },
  }
}

/** It ends with the process that started it. */
function started(executablePath: string): Promise<Browser> {
  const known = running.get(executablePath)
  if (known) return known
  const launched = chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  })
  running.set(executablePath, launched)
  const forget = () => void running.delete(executablePath)
  launched.then((browser) => browser.on('disconnected', forget), forget)
  return launched
}

/**
 * The picture of a source in Full HD with a quarter of its points each way: the page lays out, animates and is asked as
 * ever, and a machine without a graphics card draws and reads a sixteenth.
 */
export const COARSE = { viewport: { width: 1920, height: 1080 }, deviceScaleFactor: 0.25 } as const

export type Colour = readonly [red: number, green: number, blue: number, alpha: number]

const lines = new WeakMap<Page, Promise<CDPSession>>()

/** The page's own line to the engine. */
function lineTo(page: Page): Promise<CDPSession> {
  const known = lines.get(page)
  if (known) return known
  const line = page.context().newCDPSession(page)
  lines.set(page, line)
  return line
}

/** How wide the page is for itself, whatever its pictures are. */
const widthOf = (page: Page) => page.viewportSize()?.width ?? 1920

/** What the page shows now, with its transparency, in the pixels of the page. */
export class Shot {
  readonly #pixels: Buffer
  readonly #width: number
  readonly #height: number
  /** Of a side of the picture to that of the page. */
  readonly #scale: number

  private constructor(pixels: Buffer, width: number, height: number, scale: number) {
    this.#pixels = pixels
    this.#width = width
    this.#height = height
    this.#scale = scale
  }

  /** Of a PNG of a page. */
  static async from(bytes: Buffer, page: Page): Promise<Shot> {
    const { data, info } = await sharp(bytes).ensureAlpha().raw().toBuffer({ resolveWithObject: true })
    return new Shot(data, info.width, info.height, info.width / widthOf(page))
  }

  /** Asked of the engine itself: a quarter of what a screenshot for people costs. */
  static async of(page: Page): Promise<Shot> {
    const line = await lineTo(page)
    await line.send('Emulation.setDefaultBackgroundColorOverride', { color: { r: 0, g: 0, b: 0, a: 0 } })
    const { data } = await line.send('Page.captureScreenshot', { format: 'png', optimizeForSpeed: true })
    return Shot.from(Buffer.from(data, 'base64'), page)
  }

  at(x: number, y: number): Colour {
    const at = (Math.floor(y * this.#scale) * this.#width + Math.floor(x * this.#scale)) * 4
    const [red = 0, green = 0, blue = 0, alpha = 0] = this.#pixels.subarray(at, at + 4)
    return [red, green, blue, alpha]
  }

  equals(other: Shot): boolean {
    return this.#pixels.equals(other.#pixels)
  }

  /** How many pixels are not wholly transparent. */
  get painted(): number {
    const data = this.#pixels
    let count = 0
    for (let index = 3; index < data.length; index += 4) if (data[index] !== 0) count++
    return count
  }

  /** The box around everything opaque; a shadow is not. */
  get box(): { left: number; top: number; right: number; bottom: number } {
    const data = this.#pixels
    const width = this.#width
    const box = { left: width, top: this.#height, right: -1, bottom: -1 }
    for (let y = 0; y < this.#height; y++)
      for (let x = 0; x < width; x++)
        if ((data[(y * width + x) * 4 + 3] ?? 0) > 200) {
          box.left = Math.min(box.left, x)
          box.right = Math.max(box.right, x)
          box.top = Math.min(box.top, y)
          box.bottom = Math.max(box.bottom, y)
        }
    const first = (pixel: number) => pixel / this.#scale
    const last = (pixel: number) => (pixel < 0 ? pixel : (pixel + 1) / this.#scale - 1)
    return { left: first(box.left), top: first(box.top), right: last(box.right), bottom: last(box.bottom) }
  }
}

/** Between two looks: what is drawn in time is not waited for by drawing it again at once. */
const LOOK_AGAIN_MS = 40

/** Takes screenshots until one is as asked; fails with what was seen last. */
export async function seen(page: Page, wanted: (shot: Shot) => boolean, withinMs = 30_000): Promise<Shot> {
  const until = Date.now() + withinMs
  for (;;) {
    const shot = await Shot.of(page)
    if (wanted(shot)) return shot
    if (Date.now() > until)
      throw new Error(`not seen within ${withinMs} ms; painted ${shot.painted} in ${JSON.stringify(shot.box)}`)
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS))
  }
}

/** What stands: two looks one after the other saw the same. */
export async function still(page: Page): Promise<Shot> {
  let last = await Shot.of(page)
  return seen(page, (shot) => {
    const stands = shot.equals(last)
    last = shot
    return stands
  })
}

/** Every frame that the compositor made while `during` ran: what a look now and then could miss. */
export async function screencast(page: Page, during: () => Promise<unknown>): Promise<Shot[]> {
  const session = await page.context().newCDPSession(page)
  const frames: Buffer[] = []
  session.on('Page.screencastFrame', ({ data, sessionId }) => {
    frames.push(Buffer.from(data, 'base64'))
    // the last one may come when its page is gone
    session.send('Page.screencastFrameAck', { sessionId }).catch(() => {})
  })
  await session.send('Page.startScreencast', { format: 'png', everyNthFrame: 1 })
  await during()
  await session.send('Page.stopScreencast')
  await session.detach()
  return Promise.all(frames.map((bytes) => Shot.from(bytes, page)))
}

/** Whether two colours are the same to the eye. */
export const like = (one: Colour, other: Colour) =>
  one.every((part, index) => Math.abs(part - (other[index] ?? 0)) <= 8)
