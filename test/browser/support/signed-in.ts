import type { BrowserContext } from 'playwright-core'
import type { Role } from '../../../src/resources/organizations/schema.ts'
import { signedIn } from '../../accounts/support.ts'
import type { Production } from '../../resources/support.ts'
import { COARSE, type Windows } from './chromium.ts'

/** A window of 1920 by 1080 in which a new person of the role is signed in, and may use the clipboard. */
export async function windowOf(
  browser: Windows,
  { server, organizationId }: Pick<Production, 'server' | 'organizationId'>,
  role: Role,
): Promise<BrowserContext> {
  const { browser: signed } = await signedIn(server, organizationId, role)
  const [name = '', value = ''] = signed.cookie.split(/=(.*)/s)
  const context = await browser.newContext({
    ...COARSE,
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  await context.addCookies([{ name, value, url: server.origin }])
  return context
}
