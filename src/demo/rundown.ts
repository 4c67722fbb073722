import { z } from 'zod'
import type { Api } from '../theme-files/api.ts'
import type { createDesign } from './design.ts'
import * as production from './production.ts'

/** Writes the rundown of the demo's overlay, as everybody does. */
export async function createRundown(
  api: Api,
  overlayId: number,
  { presets }: Pick<Awaited<ReturnType<typeof createDesign>>, 'presets'>,
): Promise<void> {
  const items = production.rundown.map(({ preset, ...item }) => ({
    ...item,
    presetId: presets.find(({ name }) => name === preset)?.id,
    untilNext: true,
  }))
  await api.write('PUT', `/v2/overlays/${overlayId}/rundown`, { items }, z.unknown())
}
