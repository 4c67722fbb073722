/** Pictures that are fetched at a time: a page has few connections, and a press must find one. */
const AT_ONCE = 1
/** One that is just being made is asked for again. */
const AGAIN_MS = 1_000
const TRIES = 12

type Asked = { url: string; tries: number; show(src: string | undefined): void; isOver: boolean }

const waiting: Asked[] = []
let fetching = 0

/** Asks for a picture behind those that were asked for before; `show` is told of it, or of none. Answers how to give up. */
export function loadStill(url: string, show: Asked['show']): () => void {
  const asked: Asked = { url, tries: 0, show, isOver: false }
  waiting.push(asked)
  next()
  return () => {
    asked.isOver = true
  }
}

function next() {
  if (fetching >= AT_ONCE) return
  const asked = waiting.shift()
  if (!asked) return
  if (asked.isOver) {
    next()
    return
  }
  fetching++
  void fetchOne(asked).finally(() => {
    fetching--
    next()
  })
}

async function fetchOne(asked: Asked): Promise<void> {
  const answer = await read(asked.url)
  if (asked.isOver) return
  if (answer !== 'later') asked.show(answer)
  else if (++asked.tries < TRIES)
    window.setTimeout(() => {
      waiting.push(asked)
      next()
    }, AGAIN_MS)
}

/** As a `data:` URL, which the page may show; undefined: there is none. */
async function read(url: string): Promise<string | undefined | 'later'> {
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
