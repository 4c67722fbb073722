import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Trigger } from './samples.ts'
import { createTarget, type Target } from './target.ts'

export type Reference = { target: Target; pid: number; stop(): void }

/** Starts the bare server with frames of the given size, in a process of its own. With a database it commits before it answers. */
export async function startReference(
  overlays: number,
  trigger: Trigger,
  frameBytes: number,
  databaseUrl?: string,
): Promise<Reference> {
  const entry = fileURLToPath(new URL('./reference.js', import.meta.url))
  const child = fork(entry, [String(frameBytes), JSON.stringify(trigger), ...(databaseUrl ? [databaseUrl] : [])])
  const [{ port }] = (await once(child, 'message')) as [{ port: number }]
  const target = createTarget({
    name: databaseUrl ? 'bare uWebSockets.js that commits' : 'bare uWebSockets.js',
    url: `http://127.0.0.1:${port}`,
    overlays: Array.from({ length: overlays }, (_, i) => ({ id: `topic-${i}`, key: `topic-${i}` })),
    triggers: [trigger],
    apiKey: 'none',
  })
  return { target, pid: child.pid ?? 0, stop: () => child.disconnect() }
}
