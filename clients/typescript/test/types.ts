// Compiled by test/clients/typescript.test.ts and never run: what the types let through, and what they do not.
import { createTally, type LiveMessage, type Schema, TallyError } from '@tally/client'

const tally = createTally({ url: 'http://localhost:8080', key: 'service_1' })

export async function uses() {
  const overlay: Schema<'OverlayV2'> = await tally.get('/v2/overlays/{overlayId}', { path: { overlayId: 1 } })
  const { id }: { id: number } = overlay
  const { teams } = await tally.get('/v1/teams', { query: { limit: 5 } })
  const names: string[] = teams.map(({ name }) => name)
  const grades: unknown = await tally.get('/v1/competitions/grades')
  const nothing: undefined = await tally.delete('/v2/overlays/{overlayId}/scheduled/{id}', {
    path: { overlayId: id, id: 1 },
    idempotencyKey: 'a',
  })
  const { manualGraphicState } = await tally.post('/v2/overlays/{overlayId}/graphics/commands', {
    path: { overlayId: id },
    body: { action: 'show', presetId: 1, durationSeconds: 8 },
  })

  const source = { path: { competitionThemeSettingId: 1, alias: 'table' } }
  await tally.post('/v2/data-sources/{competitionThemeSettingId}/{alias}', { ...source, body: 'team,points\nNorth,3' })
  const imports = { path: { themeId: 1 }, timeoutMs: 60_000 }
  const { graphics } = await tally.post('/v2/themes/{themeId}/ograf/imports', { ...imports, body: new Blob([]) })
  await tally.post('/v2/themes/{themeId}/ograf/imports', { ...imports, body: new Uint8Array(1) })
  const ografIds: string[] = graphics.map(({ ografId }) => ografId)

  // @ts-expect-error a team is no file
  await tally.post('/v1/teams', { body: new Blob([]) })
  // @ts-expect-error there is no such path
  await tally.get('/v2/nothing')
  // @ts-expect-error nothing is posted there
  await tally.post('/v1/competitions/grades')
  // @ts-expect-error the overlay must be named
  await tally.get('/v2/overlays/{overlayId}')
  // @ts-expect-error a number
  await tally.get('/v1/teams', { query: { limit: 'five' } })
  // @ts-expect-error there is no such action
  await tally.post('/v2/overlays/{overlayId}/graphics/commands', { path: { overlayId: 1 }, body: { action: 'shine' } })
  // @ts-expect-error there is no such member
  overlay.colour

  return { ografIds, names, grades, nothing, onAir: Object.keys(manualGraphicState) }
}

export async function follows(signal: AbortSignal) {
  for await (const message of tally.follow(1, { signal, cursor: 'a' })) {
    if (message.type === 'CHANGE') heard(message.payload.shown.map(({ presetId }) => presetId))
    // @ts-expect-error only a snapshot has it
    if (message.type === 'CHANGE') heard(message.payload.onAir)
    // @ts-expect-error the pulse is not told
    if (message.type === 'PULSE') heard([])
  }
}
const heard = (_presets: number[]) => {}

export const reads = (error: unknown) => (error instanceof TallyError ? error.details['body.name']?.message : undefined)
export const typed = ({ type }: LiveMessage): string => type
