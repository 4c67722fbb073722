import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { now } from './clock.ts'
import { runGameDay } from './game-day.ts'
import { runIdle } from './idle.ts'
import { runMatchDay } from './match-day.ts'
import { help, type Options, readOptions } from './options.ts'
import { page } from './page.ts'
import { findDoubts, findProblems, judge, machine, type Results, readResults } from './results.ts'
import { runPlan } from './scenarios.ts'
import { comparison, table } from './table.ts'

const folder = fileURLToPath(new URL('../../bench/results', import.meta.url))

const startedAt = now()
const print = (text: string) => process.stdout.write(`${text}\n`)
const say = (line: string) => print(`${((now() - startedAt) / 1000).toFixed(1).padStart(6)} s  ${line}`)

async function local({ plan, size, compare, profile }: Extract<Options, { mode: 'local' }>): Promise<number> {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))
  const saved = compare === undefined ? undefined : readResults(compare)
  const measured = await runPlan(plan, say, profile)
  const about = { format: 1 as const, at: new Date().toISOString(), machine: machine(), size, plan }
  const found = { ...about, ...measured }
  const results: Results = {
    ...found,
    verdicts: judge(found),
    problems: findProblems(found),
    doubts: findDoubts(found),
  }
  mkdirSync(folder, { recursive: true })
  const name = join(folder, results.at.replaceAll(':', '-').slice(0, 19))
  writeFileSync(`${name}.json`, `${JSON.stringify(results, null, 1)}\n`)
  writeFileSync(`${name}.html`, page(results))
  print(`\n${table(results)}\n`)
  for (const problem of results.problems) print(`wrong: ${problem}`)
  for (const doubt of results.doubts) print(`doubtful: ${doubt}`)
  if (saved) print(`\n${comparison(results, saved)}\n`)
  print(`${name}.json\n${name}.html`)
  return size === 'smoke' && results.problems.length > 0 ? 1 : 0
}

async function run(): Promise<number> {
  const options = readOptions(process.argv.slice(2))
  if (options.mode === 'help') {
    print(help)
    return 0
  }
  if (options.mode === 'idle') return runIdle(print)
  if (options.mode === 'matchDay') return runMatchDay(options.server, say, print)
  return options.mode === 'gameDay' ? runGameDay(options.gameDay, say, print) : local(options)
}

process.exitCode = await run().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  return 1
})
