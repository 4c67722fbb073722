import './still.css'
import type { LoadGraphic } from '../overlay/protocol.ts'
import { Stage } from '../overlay/stage.ts'

const PAINTED_WITHIN_MS = 4_000
/** A picture or a typeface that the graphic fetches may come after it has said that it painted. */
const SETTLED_AFTER_MS = 120

let stage: Stage | undefined

/** Puts one graphic on an empty stage, as it is once its animation is over. Resolves with what is wrong with it; undefined when it has painted. */
async function still(load: LoadGraphic): Promise<string | undefined> {
  stage?.clear()
  stage?.element.remove()
  const seq = 1
  return new Promise((resolve) => {
    const late = setTimeout(() => resolve('The graphic does not paint'), PAINTED_WITHIN_MS)
    const done = (problem?: string) => {
      clearTimeout(late)
      resolve(problem)
    }
    const next = new Stage(
      {
        painted: (_, painted) => painted === seq && setTimeout(done, SETTLED_AFTER_MS),
        problem: (_, reason) => done(reason),
      },
      undefined,
    )
    stage = next
    next.size = { width: 1920, height: 1080 }
    document.body.append(next.element)
    // as one that is on air already comes: without its animation
    next.restart()
    next.load({ ...load, seq })
    next.caughtUp()
  })
}

/** Called by the browser that makes pictures of presets. */
Object.assign(window, {
  still,
  clearStill() {
    stage?.clear()
  },
})
