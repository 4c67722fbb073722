import type { Owned } from './decoder.ts'
import type { Session, StartSession } from './session.ts'

export type GraphicsParts = {
  start: StartSession
  /** The picture from the next frame on; undefined is none. */
  show(planes: Owned | undefined): void
  /** The fault of the graphics; null when they are there. Told when it changes. */
  tell(error: string | null): void
  /** How long to wait after this many failures in a row. */
  backoffMs(failures: number): number
  /** How long the last picture stays when its browser is gone. */
  holdMs?: number
  /** A browser that showed pictures this long starts the waits anew. */
  steadyMs?: number
}

export interface Graphics {
  setPage(url: string): void
  frameTaken(): void
  recycle(planes: Owned): void
  stop(): Promise<void>
}

const HOLD_MS = 2_000
const STEADY_MS = 60_000

/** The pictures of the overlay page over all browsers: one that ends leaves its last picture for a moment, then none, and the next is started. */
export function startGraphics(url: string, parts: GraphicsParts): Graphics {
  const { holdMs = HOLD_MS, steadyMs = STEADY_MS } = parts
  let page = url
  let session: Session | undefined
  let failures = 0
  let trouble: string | null = null
  let stopped = false
  let holding: NodeJS.Timeout | undefined
  let waiting: NodeJS.Timeout | undefined

  const tell = (error: string | null) => {
    if (error === trouble) return
    trouble = error
    parts.tell(error)
  }

  const start = () => {
    let since: number | undefined
    session = parts.start(page, {
      picture(planes) {
        since ??= performance.now()
        clearTimeout(holding)
        holding = undefined
        parts.show(planes)
        tell(null)
      },
      failed(reason) {
        session = undefined
        if (stopped) return
        failures = since !== undefined && performance.now() - since >= steadyMs ? 1 : failures + 1
        tell(reason)
        holding ??= setTimeout(() => parts.show(undefined), holdMs)
        waiting = setTimeout(start, parts.backoffMs(failures))
      },
    })
  }
  start()

  return {
    setPage(next) {
      page = next
      session?.setPage(next)
    },
    frameTaken: () => session?.frameTaken(),
    // planes of an ended browser have no other use
    recycle: (planes) => session?.recycle(planes),
    async stop() {
      stopped = true
      clearTimeout(holding)
      clearTimeout(waiting)
      await session?.stop()
    },
  }
}
