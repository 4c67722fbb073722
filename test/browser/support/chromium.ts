import { type Browser, chromium, type Page } from 'playwright-core'
import { PNG } from 'pngjs'
import { chromiumPath, shellPath } from '../../support/browsers.ts'

/** True where no Chromium is installed: these tests need a real one. */
export const noChromium = chromiumPath === undefined

/** A browser with a profile of its own and no requests of its own. */
export const launch = (): Promise<Browser> => launchBy(chromiumPath)

/** As `launch`, for tests that look at graphics alone. */
export const launchShell = (): Promise<Browser> => launchBy(shellPath)

const launchBy = (path: string | undefined) =>
  chromium.launch({
    executablePath: path ?? '',
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  })

export type Colour = readonly [red: number, green: number, blue: number, alpha: number]

/** What the page shows now, with its transparency. */
export class Shot {
  readonly #png: PNG

  constructor(bytes: Buffer) {
    this.#png = PNG.sync.read(bytes)
  }

  static async of(page: Page): Promise<Shot> {
    return new Shot(await page.screenshot({ omitBackground: true }))
  }

  at(x: number, y: number): Colour {
    const { data, width } = this.#png
    const [red = 0, green = 0, blue = 0, alpha = 0] = data.subarray((y * width + x) * 4, (y * width + x) * 4 + 4)
    return [red, green, blue, alpha]
  }

  equals(other: Shot): boolean {
    return this.#png.data.equals(other.#png.data)
  }

  /** How many pixels are not wholly transparent. */
  get painted(): number {
    const { data } = this.#png
    let count = 0
    for (let index = 3; index < data.length; index += 4) if (data[index] !== 0) count++
    return count
  }

  /** The box around everything opaque; a shadow is not. */
  get box(): { left: number; top: number; right: number; bottom: number } {
    const { data, width, height } = this.#png
    const box = { left: width, top: height, right: -1, bottom: -1 }
    for (let y = 0; y < height; y++)
      for (let x = 0; x < width; x++)
        if ((data[(y * width + x) * 4 + 3] ?? 0) > 200) {
          box.left = Math.min(box.left, x)
          box.right = Math.max(box.right, x)
          box.top = Math.min(box.top, y)
          box.bottom = Math.max(box.bottom, y)
        }
    return box
  }
}

/** Takes screenshots until one is as asked; fails with what was seen last. */
export async function seen(page: Page, wanted: (shot: Shot) => boolean, withinMs = 30_000): Promise<Shot> {
  const until = Date.now() + withinMs
  for (;;) {
    const shot = await Shot.of(page)
    if (wanted(shot)) return shot
    if (Date.now() > until)
      throw new Error(`not seen within ${withinMs} ms; painted ${shot.painted} in ${JSON.stringify(shot.box)}`)
  }
}

/** Every frame that the compositor made while `during` ran: what a look now and then could miss. They have no alpha. */
export async function screencast(page: Page, during: () => Promise<unknown>): Promise<Shot[]> {
  const session = await page.context().newCDPSession(page)
  const frames: Shot[] = []
  session.on('Page.screencastFrame', ({ data, sessionId }) => {
    frames.push(new Shot(Buffer.from(data, 'base64')))
    void session.send('Page.screencastFrameAck', { sessionId })
  })
  await session.send('Page.startScreencast', { format: 'png', everyNthFrame: 1 })
  await during()
  await session.send('Page.stopScreencast')
  await session.detach()
  return frames
}

/** Whether two colours are the same to the eye. */
export const like = (one: Colour, other: Colour) =>
  one.every((part, index) => Math.abs(part - (other[index] ?? 0)) <= 8)
