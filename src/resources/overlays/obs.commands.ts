import type { TransactionSql } from 'postgres'
import type { z } from 'zod'
import type { Context, RecordContext } from '../../context.ts'
import { invalid, notFound } from '../../errors.ts'
import { refusedObs } from '../../obs/address.ts'
import type { RowSecrets } from '../../secrets/secrets.ts'
import { obsRefreshOf } from './obs.queries.ts'
import { getOverlayV2 } from './queries.ts'
import type { OverlayUpdate } from './schema.ts'

type Asked = Pick<z.output<typeof OverlayUpdate>, 'obsUrl' | 'obsPassword'>
type Checking = { readonly media: Pick<Context['media'], 'refuses'> }

/** A request as it is journaled: without the password. */
export const withoutPassword = <A extends Asked>({ obsPassword, ...asked }: A) => ({
  ...asked,
  ...(obsPassword !== undefined && { obsPassword: obsPassword === null ? null : '…' }),
})

/**
 * Where the OBS of an overlay is and what opens it, after a change. A password goes only where it was meant for: another address needs it again.
 * Throws invalid for an address that is not allowed, and for a password without an address.
 */
export function changedObs(
  { media }: Checking,
  stored: { url: string | null; password: string | undefined },
  { obsUrl, obsPassword }: Asked,
): { url: string | null; password: string | undefined } {
  const url = obsUrl === undefined ? stored.url : obsUrl
  if (typeof obsUrl === 'string') {
    const message = refusedObs(obsUrl, media.refuses)
    if (message !== undefined) throw invalid({ 'body.obsUrl': { message } })
  }
  if (url === null && typeof obsPassword === 'string')
    throw invalid({ 'body.obsPassword': { message: 'needs an obsUrl' } })
  if (obsPassword !== undefined) return { url, password: obsPassword ?? undefined }
  return { url, password: url === stored.url ? stored.password : undefined }
}

/** Of a locked overlay. */
export async function storedObs(ctx: Pick<RecordContext, 'db'>, tx: TransactionSql, overlayId: number) {
  const [row] = await tx<{ url: string | null; secrets: string }[]>`
    select obs_url as url, secrets from overlay where id = ${overlayId}`
  if (!row) throw notFound()
  const { obsPassword, ...tokens } = ctx.db.secrets.open('overlay', overlayId, row.secrets)
  return { url: row.url, password: obsPassword, tokens }
}

/** The sealed column of an overlay. */
export const sealedOverlay = (
  ctx: Pick<RecordContext, 'db'>,
  overlayId: number,
  tokens: Pick<RowSecrets['overlay'], 'control' | 'monitoring'>,
  obsPassword: string | undefined,
) => ctx.db.secrets.seal('overlay', overlayId, { ...tokens, ...(obsPassword !== undefined && { obsPassword }) })

/** Has OBS refresh the sources of an overlay soon, whatever is on air; `obsRefresh` then says how it went. Throws invalid without an `obsUrl`. */
export function refreshObs(ctx: Context, overlayId: number) {
  return ctx.db.write(ctx, { ref: `overlay-settings/${overlayId}`, type: 'refreshObs' }, async (tx) => {
    const overlay = await getOverlayV2(ctx, overlayId, tx)
    if (overlay.obsUrl === null)
      throw invalid({ 'path.overlayId': { message: 'the overlay has no obsUrl', value: overlayId } })
    return {
      result: overlay,
      events: [{ type: 'overlay.obsRefreshAsked', overlayId }],
      outbox: [obsRefreshOf(overlayId, true)],
    }
  })
}
