import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inProcess } from '../../src/demo/in-process.ts'
import { Api } from '../../src/theme-files/api.ts'
import { readThemeFolder } from '../../src/theme-files/folder.ts'
import { silent } from '../../src/theme-files/progress.ts'
import { type PullOptions, pullTheme } from '../../src/theme-files/pull.ts'
import { type PushOptions, pushTheme } from '../../src/theme-files/push.ts'
import type { Transport } from '../../src/theme-files/transport.ts'
import { newOrganization, type TestApp } from '../support/app.ts'

export const stateMachine = { runtime: { entry: 'index.html' }, controlVariables: [], userExpressions: [] }

/** Writes a file of a folder; what is no text becomes JSON. */
export function write(folder: string, path: string, content: unknown) {
  mkdirSync(join(folder, path, '..'), { recursive: true })
  writeFileSync(join(folder, path), typeof content === 'string' ? content : JSON.stringify(content))
}

/** Every file below a folder with its bytes as text, hidden ones too. */
export function contents(folder: string): Record<string, string> {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()
  const files = paths.filter((path) => statSync(join(folder, path)).isFile())
  return Object.fromEntries(files.map((path) => [path, readFileSync(join(folder, path)).toString('base64')]))
}

type Around = {
  /** Of an organization that is there already; left out, of a new one. */
  key?: string
  /** What comes between the designer and the server. */
  wrap?: (transport: Transport) => Transport
}

/** What a designer does on a server. */
export async function designer(server: TestApp, { key: given, wrap = (transport) => transport }: Around = {}) {
  const key = given ?? (await newOrganization(server.database)).key
  const transport = wrap(inProcess(server.app.request, server.origin))
  const waits: number[] = []
  const wait = async (ms: number) => void waits.push(ms)
  const api = new Api({ transport, url: server.origin, key, wait })
  const options = { publish: false, activate: false, prune: false, dryRun: false }
  return {
    key,
    api,
    waits,
    push: async (folder: string, more: Partial<PushOptions> = {}) =>
      pushTheme(api, await readThemeFolder(folder), { ...options, ...more }, silent),
    pull: (folder: string, themeId: number | null, more: Partial<PullOptions> = {}) =>
      pullTheme(api, folder, { themeId: themeId ?? 0, force: false, dryRun: false, ...more }, silent),
    call: (method: string, path: string, body?: unknown) => server.call(method, path, { key, body }),
  }
}

/** `create graphic Card`, and so on. */
export const told = ({ changes }: { changes: readonly { action: string; kind: string; name: string }[] }) =>
  changes.map(({ action, kind, name }) => `${action} ${kind} ${name}`)
