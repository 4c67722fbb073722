import { pino } from 'pino'
import { changelog } from '../changelog.ts'
import { type Config, configFromProcess } from '../config.ts'
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

type AnyCommand = Command | RemoteCommand | DatabaseCommand

const commands: readonly AnyCommand[] = [
  demoCommand,
  ...others,
  ...backupCommands,
  ...nodeCommands,
  ...providerCommands,
  ...secretsCommands,
  ...themeCommands,
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

async function run(config: Config, argv: readonly string[]): Promise<string> {
  if (argv[0] === 'openapi') {
    parseOptions(argv.slice(1), {})
    const publicUrl = config.publicUrl ?? `http://localhost:${config.port}`
    // every route of the server: half a second that no other command waits for
    const [{ openapi }, { routes }] = await Promise.all([import('../http/openapi.ts'), import('../resources/index.ts')])
    return JSON.stringify(openapi(routes, { publicUrl, changes: changelog }), null, 2)
  }
  const { command, rest } = find(argv)
  if ('remote' in command)
    return JSON.stringify(await command.remote(parseOptions(rest, command.options, command.positional)), null, 2)
  const values = parseOptions(rest, command.options)
  const log = pino(
    { level: config.logLevel === 'info' ? 'warn' : config.logLevel },
    pino.destination({ dest: 2, sync: true }),
  )
  if ('withDatabase' in command) {
    const { url, leave } = await openDatabase(config, log)
    try {
      return JSON.stringify(await command.withDatabase(url, values, { config, log }), null, 2)
    } finally {
      await leave()
    }
  }
  const store = await openStore({ ...config, databaseConnections: 2 }, log)
  try {
    const publicUrl = config.publicUrl ?? findServer(config.dataDir) ?? `http://localhost:${config.port}`
    const surroundings = { config, store, log, databaseUrl: store.url, publicUrl }
    const result = await command.run(store.db, values, surroundings)
    return command.text && !values.json ? command.text(result) : JSON.stringify(result, null, 2)
  } finally {
    await store.close()
  }
}

/** stdout carries exactly one JSON document, or with some commands a text unless `--json` is given; and only on success. */
async function main(argv: readonly string[]): Promise<void> {
  if (argv.length === 0 || argv.includes('--help')) {
    process.stderr.write(`${help()}\n`)
    process.exitCode = argv.length === 0 ? 1 : 0
    return
  }
  try {
    process.stdout.write(`${await run(configFromProcess(), argv)}\n`)
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.exitCode = 1
  }
}

// a reader that has seen enough, such as `head`
process.stdout.on('error', () => {})
await main(process.argv.slice(2))
