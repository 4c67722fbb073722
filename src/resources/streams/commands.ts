import { randomBytes } from 'node:crypto'
import type { RecordContext } from '../../context.ts'
import { ownRecords } from '../ownership.ts'

/** Creates a push input with a stream key of its own. */
export function createInput(ctx: RecordContext, asked: { name: string }): Promise<{ id: number }> {
  return ctx.db.write(ctx, { ref: 'stream-input/new', type: 'create', asked }, async (tx) => {
    const [input] = await tx<{ id: number }[]>`
      insert into stream_input (organization_id, name, type, stream_key)
      values (${ctx.organizationId}, ${asked.name}, 'default', ${randomBytes(16).toString('hex')}) returning id`
    if (!input) throw new Error('an insert returned no row')
    return {
      ref: `stream-input/${input.id}`,
      result: input,
      events: [{ type: 'streamInput.created', inputId: input.id }],
    }
  })
}

type StreamCreation = {
  matchId: number
  name: string
  inputId: number
  overlayId: number
  destinations: readonly { name: string; type: string; url: string }[]
}

/** Creates the stream of a match with its destinations, idle. */
export function createStream(
  ctx: RecordContext,
  asked: StreamCreation,
): Promise<{ streamSettingsId: number; destinationIds: number[] }> {
  return ctx.db.write(ctx, { ref: 'stream-settings/new', type: 'create', asked }, async (tx) => {
    await ownRecords(ctx, tx, 'match', [asked.matchId])
    await ownRecords(ctx, tx, 'stream_input', [asked.inputId])
    await ownRecords(ctx, tx, 'overlay', [asked.overlayId])
    const [settings] = await tx<{ id: number }[]>`
      insert into stream_settings (organization_id, match_id, name, input_id, overlay_id)
      values (${ctx.organizationId}, ${asked.matchId}, ${asked.name}, ${asked.inputId}, ${asked.overlayId})
      returning id`
    if (!settings) throw new Error('an insert returned no row')
    const destinationIds: number[] = []
    for (const { name, type, url } of asked.destinations) {
      const [row] = await tx<{ id: number }[]>`
        insert into stream_destination (organization_id, stream_settings_id, name, type, url)
        values (${ctx.organizationId}, ${settings.id}, ${name}, ${type}, ${url}) returning id`
      if (row) destinationIds.push(row.id)
    }
    return {
      ref: `stream-settings/${settings.id}`,
      result: { streamSettingsId: settings.id, destinationIds },
      events: [{ type: 'stream.created', streamSettingsId: settings.id, matchId: asked.matchId }],
    }
  })
}
