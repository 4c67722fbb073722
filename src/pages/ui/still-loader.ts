import { type StillAnswer, stillLine } from './still-line.ts'

/** One that is just being made is asked for again. */
const AGAIN_MS = 1_000
const TRIES = 12

/** Asks for the picture of a preset, in the line of this page. */
export const loadStill = stillLine({ read, later: (run) => window.setTimeout(run, AGAIN_MS), tries: TRIES })

/** As a `data:` URL, which the page may show; undefined: there is none. */
async function read(url: string): Promise<StillAnswer> {
  try {
    // asked each time whether it is still the one, which costs no bytes
    const response = await fetch(url, { cache: 'no-cache', headers: { 'X-Requested-With': 'tally' } })
    if (response.status === 503 || response.status === 429) return 'later'
    if (!response.ok) return undefined
    return await asData(await response.blob())
  } catch {
    return 'later'
  }
}

const asData = (bytes: Blob): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(bytes)
  })
