import type { Readable, Writable } from 'node:stream'
import { pino } from 'pino'
import { changelog } from '../changelog.ts'
import { readConfig } from '../config.ts'
import { openDatabase, openStore } from '../store/open.ts'
import { findServer } from '../store/server-file.ts'
import { parseOptions, UsageError } from './arguments.ts'
import { backupCommands, type DatabaseCommand } from './backup.ts'
import { type Command, commands as others } from './commands.ts'
import { demoCommand } from './demo.ts'
import { nodeCommands } from './nodes.ts'
import { providerCommands } from './providers.ts'
import { secretsCommands } from './secrets.ts'
import { type RemoteCommand, themeCommands } from './themes.ts'
import { webhookCommands } from './webhooks.ts'

/** What a command has of the process that it runs in. */
export type Terminal = {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly stdin: Readable
  readonly stdout: Writable
  readonly stderr: Writable & { isTTY?: boolean }
}

type AnyCommand = Command | RemoteCommand | DatabaseCommand

const commands: readonly AnyCommand[] = [
  demoCommand,
  ...others,
  ...backupCommands,
  ...nodeCommands,
  ...providerCommands,
  ...secretsCommands,
  ...themeCommands,
  ...webhookCommands,
]

const help = () =>
  [
    'usage: npm run -s admin -- COMMAND [options] --json',
    ...commands.map(({ name, usage }) => `  ${name} ${usage}`),
    '  openapi',
  ].join('\n')

const find = (argv: readonly string[]): { command: AnyCommand; rest: readonly string[] } => {
  for (const words of [2, 1]) {
    const command = commands.find(({ name }) => name === argv.slice(0, words).join(' '))
    if (command) return { command, rest: argv.slice(words) }
  }
  const given = argv.filter((word) => !word.startsWith('-')).join(' ')
  throw new UsageError(`${given ? `unknown command "${given}"` : 'no command given'}\n${help()}`)
}

async function resultOf(argv: readonly string[], { env, stdin, stderr }: Terminal): Promise<string> {
  const config = readConfig(env)
  if (argv[0] === 'openapi') {
    parseOptions(argv.slice(1), {})
    const publicUrl = config.publicUrl ?? `http://localhost:${config.port}`
    // every route of the server: half a second that no other command waits for
    const [{ openapi }, { routes, webhookSchemas }] = await Promise.all([
      import('../http/openapi.ts'),
      import('../resources/index.ts'),
    ])
    return JSON.stringify(openapi(routes, { publicUrl, changes: changelog, webhooks: webhookSchemas() }), null, 2)
  }
  const { command, rest } = find(argv)
  if ('remote' in command)
    return JSON.stringify(
      await command.remote(parseOptions(rest, command.options, command.positional), stderr),
      null,
      2,
    )
  const values = parseOptions(rest, command.options)
  const log = pino({ level: config.logLevel === 'info' ? 'warn' : config.logLevel }, stderr)
  if ('withDatabase' in command) {
    const { url, leave } = await openDatabase(config, log)
    try {
      return JSON.stringify(await command.withDatabase(url, values, { config, log, stdin }), null, 2)
    } finally {
      await leave()
    }
  }
  const store = await openStore({ ...config, databaseConnections: 2 }, log)
  try {
    const publicUrl = config.publicUrl ?? findServer(config.dataDir) ?? `http://localhost:${config.port}`
    const surroundings = { config, store, log, stdin, stderr, databaseUrl: store.url, publicUrl }
    const result = await command.run(store.db, values, surroundings)
    return command.text && !values.json ? command.text(result) : JSON.stringify(result, null, 2)
  } finally {
    await store.close()
  }
}

/** Does one command; answers the exit code. stdout carries exactly one JSON document, and only on success. */
export async function runCommand(argv: readonly string[], terminal: Terminal): Promise<0 | 1> {
  if (argv.length === 0 || argv.includes('--help')) {
    terminal.stderr.write(`${help()}\n`)
    return argv.length === 0 ? 1 : 0
  }
  try {
    terminal.stdout.write(`${await resultOf(argv, terminal)}\n`)
    return 0
  } catch (error) {
    terminal.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    return 1
  }
}
