import { isGdd } from '../ograf/gdd.ts'
import { type Manifest, playsForMs, stepCountOf } from '../ograf/manifest.ts'
import type { OgrafCard } from './cards.ts'

/** What commands need to know of a manifest. */
export function ografCard(manifest: Manifest): OgrafCard {
  const stepCount = stepCountOf(manifest)
  return {
    id: manifest.id,
    stepCount,
    ...(stepCount === 0 && { playsForMs: playsForMs(manifest) }),
    realTime: manifest.supportsRealTime,
    customActions: (manifest.customActions ?? []).map(({ id, name, description, schema }) => ({
      id,
      name,
      ...(description !== undefined && { description }),
      schema: isGdd(schema) ? schema : null,
    })),
  }
}

/** An OGraf graphic as it is when it comes on air. */
export const ografShown = ({ stepCount, playsForMs: ms }: OgrafCard) => ({
  stepCount,
  step: 0,
  ...(ms !== undefined && { playsForMs: ms }),
})
