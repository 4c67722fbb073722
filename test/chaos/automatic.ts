import { sleep } from '../../bench/clock.ts'

export type Outage = { from: number; to: number }
/** A graphic on air, ms since 1970; `to` null: to the end. */
export type Show = { rule: string; graphic: string; from: number; to: number | null }

export type TimeLine = {
  at: string
  name: string
  graphicName: string | null
  action: string | null
  reason: string | null
}
export type AsRun = { at: string; action: string; graphicName: string; by: { type: string; name: string } }

/** The shows that lines tell of; whatever hides a graphic, hides the one that is on. */
export function showsOf(
  lines: readonly { at: string; action: string | null; graphic: string; rule: string }[],
): Show[] {
  const shows: Show[] = []
  const onAir = new Map<string, Show>()
  for (const { at, action, graphic, rule } of lines) {
    const time = Date.parse(at)
    const before = onAir.get(graphic)
    if (action === 'show' || action === 'hide' || action === 'autoHide') {
      if (before) before.to = time
      onAir.delete(graphic)
    }
    if (action !== 'show') continue
    const show: Show = { rule, graphic, from: time, to: null }
    shows.push(show)
    onAir.set(graphic, show)
  }
  return shows
}

const LATE_MS = 3_000
const EARLY_MS = 500

/**
 * Pairs what a plan was to show with what was on air: each show at its time, or as soon as the server was back. Answers the shows of
 * either side that the other has not, and pairs that do not go off together.
 */
export function compared(planned: readonly Show[], seen: readonly Show[], outages: readonly Outage[]) {
  const back = (time: number) => outages.find(({ from, to }) => time >= from - LATE_MS && time <= to)?.to ?? time
  const left = [...seen]
  const missing: Show[] = []
  const otherwise: { planned: Show; seen: Show }[] = []
  for (const one of planned) {
    const latest = Math.max(one.from, back(one.from)) + LATE_MS
    const index = left.findIndex(
      ({ rule, graphic, from }) =>
        rule === one.rule && graphic === one.graphic && from >= one.from - EARLY_MS && from <= latest,
    )
    const found = left[index]
    if (!found) {
      // what was over before the server was back is left out
      if (one.to === null || back(one.from) === one.from || one.to > back(one.from)) missing.push(one)
      continue
    }
    left.splice(index, 1)
    const lasts = one.to === null ? null : one.to - one.from
    const until = lasts === null ? null : Math.max(back(one.from + lasts), back(found.from + lasts)) + LATE_MS
    const isRight =
      until === null || one.to === null
        ? found.to === null
        : found.to !== null && found.to >= one.to - EARLY_MS && found.to <= until
    if (!isRight) otherwise.push({ planned: one, seen: found })
  }
  return { missing, otherwise, unplanned: left }
}

/** Asks a server that may be away until it answers; what was done already is done once. */
export async function asked(url: string, key: string, method: string, path: string, body?: object) {
  for (let attempt = 0; ; attempt++) {
    const answer = await fetch(`${url}/rest${path}`, {
      method,
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(5_000),
    }).then(
      async (response) => ({ status: response.status, text: await response.text() }),
      () => undefined,
    )
    if (answer && answer.status < 500) {
      if (answer.status >= 300 && !(method === 'DELETE' && answer.status === 404))
        throw new Error(`${method} ${path} ${JSON.stringify(body)}: ${answer.status} ${answer.text}`)
      return (answer.text === '' ? {} : JSON.parse(answer.text)) as Record<string, unknown>
    }
    if (attempt > 600) throw new Error(`${method} ${path} was never answered`)
    await sleep(50)
  }
}
