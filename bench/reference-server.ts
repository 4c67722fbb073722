import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Trigger } from './samples.ts'
import { createTarget, type Target } from './target.ts'

export type Reference = { target: Target; pid: number; stop(): void }

export type ReferenceOptions = {
  /** `bare`: uWebSockets.js and nothing else; `fastify`: what a user would write. */
  kind: 'bare' | 'fastify'
  overlays: number
  trigger: Trigger
  frameBytes: number
  /** The bare one commits a row there before it answers. */
  databaseUrl?: string
}

const names = { bare: 'bare uWebSockets.js', fastify: 'fastify + ws' }
// the tests run this file from its source, the bench from dist
const built = import.meta.url.endsWith('.ts') ? '../dist/bench/' : './'
const entries = { bare: 'reference.js', fastify: 'fastify.js' }

/** Starts a server to compare with, in a process of its own, with frames of the given size. */
export async function startReference({
  kind,
  overlays,
  trigger,
  frameBytes,
  databaseUrl,
}: ReferenceOptions): Promise<Reference> {
  const entry = fileURLToPath(new URL(built + entries[kind], import.meta.url))
  const child = fork(entry, [String(frameBytes), JSON.stringify(trigger), ...(databaseUrl ? [databaseUrl] : [])])
  const [{ port }] = (await once(child, 'message')) as [{ port: number }]
  const target = createTarget({
    name: databaseUrl ? `${names[kind]} that commits` : names[kind],
    url: `http://127.0.0.1:${port}`,
    overlays: Array.from({ length: overlays }, (_, i) => ({ id: `topic-${i}`, key: `topic-${i}` })),
    triggers: [trigger],
    apiKey: 'none',
  })
  return { target, pid: child.pid ?? 0, stop: () => child.disconnect() }
}
