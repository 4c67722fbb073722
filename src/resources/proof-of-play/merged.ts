import type { ProvedPlay } from './queries.ts'

type Source = { plays: AsyncGenerator<ProvedPlay[]>; some: readonly ProvedPlay[]; place: number }

/** The plays of several overlays in the order in which they began, each overlay's in its own; some at a time. */
export async function* merged(overlays: readonly AsyncGenerator<ProvedPlay[]>[]): AsyncGenerator<ProvedPlay[]> {
  const sources: Source[] = []
  try {
    for (const plays of overlays) {
      const source = { plays, some: [], place: 0 }
      sources.push(source)
      await refill(source)
    }
    for (;;) {
      const chosen: ProvedPlay[] = []
      for (;;) {
        const next = earliest(sources)
        const play = next?.some[next.place]
        if (!next || !play) break
        chosen.push(play)
        next.place++
        // the one that is empty may have the next
        if (next.place === next.some.length) {
          await refill(next)
          break
        }
      }
      if (chosen.length === 0) return
      yield chosen
    }
  } finally {
    await Promise.all(overlays.map((plays) => plays.return(undefined)))
  }
}

async function refill(source: Source): Promise<void> {
  const { value, done } = await source.plays.next()
  source.some = done ? [] : value
  source.place = 0
}

function earliest(sources: readonly Source[]): Source | undefined {
  let first: Source | undefined
  for (const source of sources) {
    const play = source.some[source.place]
    const best = first?.some[first.place]
    if (play && (!best || play.at < best.at || (play.at === best.at && play.overlayId < best.overlayId))) first = source
  }
  return first
}
