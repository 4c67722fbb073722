import { randomUUID } from 'node:crypto'
import type { TransactionSql } from 'postgres'
import type { z } from 'zod'
import type { Context } from '../../context.ts'
import { notFound } from '../../errors.ts'
import { digestOf } from '../../secrets/digest.ts'
import type { RowSecrets } from '../../secrets/secrets.ts'
import { newToken } from '../new-token.ts'
import { refuseWhileRunning } from '../streams/removal.ts'
import { lockOverlay } from './commands.ts'
import { getOverlayV2 } from './queries.ts'
import { notifyOverlay } from './removal.ts'
import type { LinkRotation } from './schema.ts'

/**
 * Gives pages of an overlay new addresses. The old ones are refused from the commit on, and sockets opened by them are closed.
 * Answers as `getOverlayV2`. Throws invalid for `production` while a running stream shows it.
 */
export async function rotateLinks(ctx: Context, overlayId: number, { links }: z.output<typeof LinkRotation>) {
  const command = { ref: `overlay-settings/${overlayId}`, type: 'rotateLinks', asked: { links } }
  const result = await ctx.db.write(ctx, command, async (tx) => {
    await lockOverlay(tx, ctx.organizationId, overlayId)
    const has = (link: (typeof links)[number]) => links.includes(link)
    if (has('production')) await refuseWhileRunning(tx, { overlayId }, 'body.links')
    const tokens = {
      ...(await tokensOf(ctx, tx, overlayId)),
      ...(has('control') && { control: newToken() }),
      ...(has('monitoring') && { monitoring: newToken() }),
    }
    await tx`
      update overlay set
        secrets = ${ctx.db.secrets.seal('overlay', overlayId, tokens)},
        control_digest = ${digestOf(tokens.control)},
        monitoring_digest = ${digestOf(tokens.monitoring)},
        key = coalesce(${has('production') ? randomUUID() : null}, key),
        updated_at = clock_timestamp()
      where id = ${overlayId}`
    await notifyOverlay(tx, overlayId)
    return {
      result: await getOverlayV2(ctx, overlayId, tx),
      // never the addresses themselves
      events: [{ type: 'overlay.linksRotated', overlayId, links }],
    }
  })
  ctx.catalog.forget({ overlay: overlayId })
  return result
}

/** Of a locked row. */
async function tokensOf(ctx: Context, tx: TransactionSql, overlayId: number): Promise<RowSecrets['overlay']> {
  const [row] = await tx<{ secrets: string }[]>`select secrets from overlay where id = ${overlayId}`
  if (!row) throw notFound()
  return ctx.db.secrets.open('overlay', overlayId, row.secrets)
}
