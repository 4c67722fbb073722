import type { OverlayAside, OverlayEvent } from '../../machines/overlay/events.ts'

export type JournalRow = { seq: number; events: readonly OverlayEvent[]; asides?: readonly OverlayAside[] | null }

/** What a fact is about, and whether that is there after it. `since`: the seq of another row that it stands on. */
type Touch = { about: string; isThere: boolean; since?: number }

/**
 * Which rows from the beginning of an overlay's journal its state still needs: of every graphic that they leave on air the last one and the
 * one that showed it, the last one of each live source, and those of what they leave on preview, scheduled, in rehearsal and loaded. The fold of these is the
 * fold of all: of whatever else a kept row did, the last word is kept, too. `rows` in order of seq.
 */
export function keepers(rows: readonly JournalRow[]): Set<number> {
  const last = new Map<string, Touch & { seq: number }>()
  const touched = new Map<number, string[]>()
  for (const { seq, events, asides } of rows)
    for (const touch of [...events.flatMap(touchesOf), ...(asides ?? []).flatMap(besideOf)]) {
      last.set(touch.about, { ...touch, seq })
      touched.set(seq, [...(touched.get(seq) ?? []), touch.about])
    }
  const kept = new Set<number>()
  const wanted = [...last.values()]
    .filter(({ isThere }) => isThere)
    .flatMap(({ seq, since }) => (since === undefined ? seq : [seq, since]))
  for (let seq = wanted.pop(); seq !== undefined; seq = wanted.pop()) {
    if (kept.has(seq)) continue
    kept.add(seq)
    for (const about of touched.get(seq) ?? []) {
      const end = last.get(about)
      if (end) wanted.push(end.seq)
    }
  }
  return kept
}

function touchesOf(event: OverlayEvent): Touch[] {
  if (event.type === 'data.refreshed')
    // also moves the seq of everything on air
    return ['', ...Object.keys(event.revisions)].map((source) => ({ about: `source ${source}`, isThere: true }))
  if (event.type === 'graphic.hidden') return [{ about: `air ${event.graphicId}`, isThere: false }]
  const { graphicId, loadSeq } = event.graphic
  return [{ about: `air ${graphicId}`, isThere: true, since: loadSeq }]
}

function besideOf(aside: OverlayAside): Touch | Touch[] {
  switch (aside.type) {
    case 'rehearsal.begun':
      return { about: 'rehearsal', isThere: true }
    case 'rehearsal.ended':
      return { about: 'rehearsal', isThere: false }
    case 'rehearsed':
      // live data is the same for what is on air
      return touchesOf(aside.fact).map((touch) =>
        touch.about.startsWith('source') ? touch : { ...touch, about: `rehearsed ${touch.about}` },
      )
    case 'graphic.cued':
      return { about: `preview ${aside.graphic.graphicId}`, isThere: true }
    case 'graphic.uncued':
      return { about: `preview ${aside.graphicId}`, isThere: false }
    case 'command.scheduled':
      return { about: `schedule ${aside.scheduled.id}`, isThere: true }
    case 'command.unscheduled':
      return { about: `schedule ${aside.id}`, isThere: false }
    case 'rundown.moved':
      return { about: 'rundown', isThere: true }
    case 'instance.loaded':
      return { about: `instance ${aside.instanceId}`, isThere: true }
    case 'instance.cleared':
      return { about: `instance ${aside.instanceId}`, isThere: false }
  }
}
