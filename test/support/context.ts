import { randomUUID } from 'node:crypto'
import { pino } from 'pino'
import type { Context } from '../../src/context.ts'

/** A context for commands that need no more than who asks; the parts that a test needs come in `parts`. */
export function testContext(organizationId: number, parts: Partial<Context> = {}): Context {
  const unwired = new Proxy({}, { get: (_, name) => (name === 'then' ? undefined : unwiredPart(String(name))) })
  const ctx: Context = {
    organizationId,
    actor: { type: 'key', id: 1, name: 'test' },
    scopes: new Set(),
    requestId: randomUUID(),
    commandId: randomUUID(),
    log: pino({ level: 'silent' }),
    db: unwired as Context['db'],
    actors: unwired as Context['actors'],
    atOwner: (_ref, errand, args) => errand.run(ctx, args),
    catalog: unwired as Context['catalog'],
    parsing: unwired as Context['parsing'],
    media: unwired as Context['media'],
    publicUrl: 'http://localhost',
    ...parts,
  }
  return ctx
}

const unwiredPart = (name: string) => () => {
  throw new Error(`this test has not wired ${name}`)
}
