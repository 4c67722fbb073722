import { changedAt, goTo, hidden, show, updated } from './changes.ts'
import type { Call, CustomAction, OverlayAside, OverlayEvent, OverlayFact } from './events.ts'
import type { OnAir, Overlay, Shown, Values } from './model.ts'

/** What the OGraf Server API asks of instances. Of one that there is none of nothing is asked. integrations: OGraf Server API */
export type InstanceCommand =
  | { act: 'load'; id: string; graphic: Shown; call?: Call }
  /** On air at its first step, or at the one that is named; from there to others, and off air beyond the last one. */
  | { act: 'play'; id: string; goto?: number; delta?: number; call?: Call }
  /** Off air; it stays loaded. */
  | { act: 'stop'; id: string; call?: Call }
  | { act: 'update'; id: string; values: Values; call?: Call }
  | { act: 'custom'; id: string; customAction: CustomAction; call?: Call }
  | { act: 'clear'; ids: readonly string[] }

/** One that is loaded, or an OGraf graphic that somebody showed by other means. `onAir`: as it is there; left out: it is not. */
export type Listed = { id: string; graphic: Shown; onAir?: OnAir }

/** All instances of an overlay, or of its rehearsal when the overlay is given as commands see it: those loaded first, in the order of their loads. */
export function instancesOf(overlay: Overlay): Listed[] {
  const { instances = {}, graphics } = overlay
  const loaded = Object.values(instances).map(({ id, graphic }): Listed => {
    const onAir = graphics[graphic.graphicId]
    return onAir?.ograf?.instance === id ? { id, graphic: onAir, onAir } : { id, graphic }
  })
  const others = Object.values(graphics).flatMap((onAir): Listed[] =>
    onAir.ograf && instances[onAir.ograf.instance ?? ''] === undefined
      ? [{ id: `air-${onAir.graphicId}-${onAir.loadSeq}`, graphic: onAir, onAir }]
      : [],
  )
  return [...loaded, ...others]
}

/** The one with this id. */
export const instanceBy = (overlay: Overlay, id: string): Listed | undefined =>
  instancesOf(overlay).find((one) => one.id === id)

/** What a command means now, as facts. */
export function decideInstance(overlay: Overlay, command: InstanceCommand, seq: number): OverlayFact[] {
  if (command.act === 'clear') return clear(overlay, command.ids)
  const { id, call } = command
  if (command.act === 'load') return [loaded(id, command.graphic, call)]
  const listed = instanceBy(overlay, id)
  if (!listed) return []
  switch (command.act) {
    case 'play':
      return called(play(overlay, listed, command, seq), call)
    case 'stop':
      return called(listed.onAir ? [hidden(listed.onAir)] : [], call)
    case 'update':
      return update(overlay, listed, command.values, seq, call)
    case 'custom': {
      const { customAction } = command
      const { graphic, onAir } = listed
      if (!onAir) return [{ ...loaded(id, graphic, call), customAction }]
      return called([{ ...updated(onAir, changedAt(onAir, seq)), customAction }], call)
    }
  }
}

function play(
  overlay: Overlay,
  { id, graphic, onAir }: Listed,
  { goto, delta = 1 }: { goto?: number; delta?: number },
  seq: number,
): OverlayEvent[] {
  const { ograf } = graphic
  if (!ograf) return []
  // one without steps plays again from its beginning
  if (onAir && ograf.stepCount !== 0) return goTo(onAir, ograf, goto === undefined ? { delta } : { goto }, seq)
  const step = ograf.stepCount === 0 ? 0 : Math.max(0, goto ?? delta - 1)
  if (ograf.stepCount > 0 && step >= ograf.stepCount) return []
  if (!onAir) return show(overlay, { ...graphic, ograf: { ...ograf, step, instance: id } }, seq)
  const { loadSeq: _load, seq: _seq, setSeq: _set, ...shown } = onAir
  return show(overlay, shown, seq)
}

function update(
  overlay: Overlay,
  { id, graphic, onAir }: Listed,
  values: Values,
  seq: number,
  call?: Call,
): OverlayFact[] {
  const kept = overlay.instances?.[id]
  if (!onAir) return [loaded(id, { ...graphic, values }, call)]
  const facts: OverlayFact[] = called([updated(onAir, { ...changedAt(onAir, seq), values })], call)
  return kept ? [...facts, loaded(id, { ...kept.graphic, values })] : facts
}

function clear(overlay: Overlay, ids: readonly string[]): OverlayFact[] {
  const meant = instancesOf(overlay).filter(({ id }) => ids.includes(id))
  const kept = meant.filter(({ id }) => overlay.instances?.[id])
  return [
    ...meant.flatMap(({ onAir }) => (onAir ? [hidden(onAir)] : [])),
    ...kept.map(({ id, graphic: { graphicId, graphicName, presetId, sectionId } }): OverlayAside => {
      return { type: 'instance.cleared', instanceId: id, graphicId, graphicName, presetId, sectionId }
    }),
  ]
}

const loaded = (instanceId: string, graphic: Shown, call?: Call): Extract<OverlayAside, { type: 'instance.loaded' }> =>
  call ? { type: 'instance.loaded', instanceId, graphic, call } : { type: 'instance.loaded', instanceId, graphic }

/** Renderers answer once: with what the graphic itself was asked, which comes last. */
function called(facts: OverlayEvent[], call: Call | undefined): OverlayEvent[] {
  return facts.map((fact, index) =>
    call && index === facts.length - 1 && fact.type !== 'data.refreshed' ? { ...fact, call } : fact,
  )
}
