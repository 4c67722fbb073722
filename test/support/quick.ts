import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize, relative } from 'node:path'
import { MEASURED } from './measured.ts'
import { root } from './root.ts'

/** What a file of the quick run reaches by no import of its own or of its helpers: browsers, media, and processes beside it. */
export const SLOW = [
  'node:child_process',
  'playwright-core',
  'src/media/process.ts',
  'src/store/embedded/open.ts',
  'test/support/browsers.ts',
  'test/support/media.ts',
  'test/support/process.ts',
  'test/support/redis.ts',
]

/** What the quick run leaves out though it starts nothing: to find what these look for takes many tries, gigabytes, hashes, or ten seconds. */
export const LONG = [
  'test/attack/',
  'test/chaos/',
  'test/fuzz/',
  'test/generated/',
  'test/accounts/',
  'test/expressions/bounds.test.ts',
  'test/game-plan/cost.test.ts',
  'test/game-plan/live.test.ts',
  'test/game-plan/simulate.test.ts',
  'test/http/beta.test.ts',
  'test/http/every-route.test.ts',
  'test/http/uws-bodies.test.ts',
  'test/machines/match-any.test.ts',
  'test/machines/play.test.ts',
  'test/machines/streams-any.test.ts',
  'test/motion/inspect.test.ts',
  'test/motion/properties.test.ts',
  'test/nodes/model.test.ts',
  'test/pages/tokens.test.ts',
  'test/parsing/pool.test.ts',
  'test/realtime/random.test.ts',
  'test/realtime/slow-line.test.ts',
  'test/resources/batches.test.ts',
  'test/resources/code-graphics-concurrency.test.ts',
  'test/resources/code-graphics-large.test.ts',
  'test/resources/data-source-templates.test.ts',
  'test/resources/data-sources-on-air.test.ts',
  'test/resources/desk-sports.test.ts',
  'test/resources/graphics-model.test.ts',
  'test/resources/graphics-scheduled.test.ts',
  'test/resources/import-large.test.ts',
  'test/resources/limits.test.ts',
  'test/resources/lineup-model.test.ts',
  'test/resources/live-data.test.ts',
  'test/resources/logos.test.ts',
  'test/resources/motion-graphics-imports.test.ts',
  'test/resources/motion-graphics-parts.test.ts',
  'test/resources/motion-graphics-versions.test.ts',
  'test/resources/ograf-graphics.test.ts',
  'test/resources/ograf-on-air.test.ts',
  'test/resources/ograf-server.test.ts',
  'test/resources/overlay-obs.test.ts',
  'test/resources/sport-data.test.ts',
  'test/resources/stream-inputs.test.ts',
  'test/resources/streams-run.test.ts',
  'test/resources/themes-concurrency.test.ts',
  'test/resources/themes-model.test.ts',
  'test/resources/themes-on-air.test.ts',
  'test/resources/themes-profiles.test.ts',
  'test/resources/themes-versions.test.ts',
  'test/resources/venues.test.ts',
  'test/secrets/passwords.test.ts',
  'test/store/backup.test.ts',
  'test/store/blob-cache.test.ts',
  'test/store/driver.test.ts',
  'test/store/migrate.test.ts',
  'test/store/secrets-migration.test.ts',
  'test/store/secrets.test.ts',
  'test/theme-files/game-plan.test.ts',
  'test/theme-files/motion.test.ts',
  'test/theme-files/ograf.test.ts',
  'test/theme-files/push.test.ts',
  'test/webhooks/deliveries.test.ts',
  'test/workers/postgres.test.ts',
]

const IMPORT = /(?:^|\n)import (?!type )[^'"]*['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]/g

const importsOf = (file: string): string[] =>
  [...readFileSync(join(root, file), 'utf8').matchAll(IMPORT)].map(([, fixed, later]) => {
    const specifier = fixed ?? later ?? ''
    return specifier.startsWith('.') ? normalize(join(dirname(file), specifier)) : specifier
  })

/** What a test file imports, and what its helpers under `test/` do; not what the sources of the server do. */
export function reachOf(file: string): Set<string> {
  const reached = new Set(importsOf(file))
  // a set that grows is walked to its end
  for (const one of reached) if (one.startsWith('test/')) for (const next of importsOf(one)) reached.add(next)
  return reached
}

/** Every test file, from the root of the repository. */
export const testFiles = (): string[] =>
  readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => relative(root, join(root, 'test', name)))
    .sort()

/** The files that `npm run test:quick` runs: one place says which, and a file that is new is judged by what it imports. */
export const quickFiles = (files = testFiles()): string[] =>
  files.filter((file) => {
    // a red line of theirs on a busy machine would be nobody's fault
    if (LONG.some((long) => file.startsWith(long)) || MEASURED.includes(file)) return false
    const reached = reachOf(file)
    return !SLOW.some((slow) => reached.has(slow))
  })
