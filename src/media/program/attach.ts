import type { Devtools } from './devtools.ts'

/** Takes over the empty page that a browser starts with, transparent and of this size. Answers the id of the session with it. */
export async function attachPage(
  devtools: Devtools,
  { width, height }: { width: number; height: number },
): Promise<string> {
  const { targetInfos } = await devtools.send('Target.getTargets')
  const { targetId } = asTargets(targetInfos).find(({ type }) => type === 'page') ?? {}
  const attached = await devtools.send('Target.attachToTarget', { targetId, flatten: true })
  const sessionId = String(attached.sessionId)
  const send = (method: string, params: Record<string, unknown> = {}) => devtools.send(method, params, sessionId)
  await Promise.all([
    devtools.send('Target.setDiscoverTargets', { discover: true }),
    devtools.send('Browser.setDownloadBehavior', { behavior: 'deny' }),
    send('Page.enable'),
    send('Page.setLifecycleEventsEnabled', { enabled: true }),
    send('Inspector.enable'),
    send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: false }),
    send('Emulation.setDefaultBackgroundColorOverride', { color: { r: 0, g: 0, b: 0, a: 0 } }),
  ])
  return sessionId
}

/** The protocol documents this shape; it is that of a browser that we start ourselves. */
const asTargets = (value: unknown) => value as { targetId: string; type: string }[]
