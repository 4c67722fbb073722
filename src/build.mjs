// Builds dist/: the server with tsc, the pages with Vite. `--if-needed` does nothing when dist is newer than every source.
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const stamp = join(root, 'dist/.built')

const newest = (path) => {
  const stat = statSync(path)
  if (!stat.isDirectory()) return stat.mtimeMs
  return Math.max(stat.mtimeMs, ...readdirSync(path).map((name) => newest(join(path, name))))
}

const run = (...command) => {
  // stdout of the admin CLI belongs to its one JSON document, so everything here goes to stderr
  const { status } = spawnSync(process.execPath, command, { cwd: root, stdio: ['ignore', 2, 2] })
  if (status !== 0) process.exit(status ?? 1)
}

const sources = ['machines', 'src', 'workers', 'bench', 'package.json', 'tsconfig.json'].map((name) => join(root, name))
const upToDate = () => existsSync(stamp) && statSync(stamp).mtimeMs > Math.max(...sources.map(newest))

if (!process.argv.includes('--if-needed') || !upToDate()) {
  run(join(root, 'node_modules/typescript/bin/tsc'), '-p', 'src/tsconfig.json')
  cpSync(join(root, 'src/store/migrations'), join(root, 'dist/src/store/migrations'), { recursive: true })
  if (existsSync(join(root, 'src/pages/vite.config.ts')))
    run(
      join(root, 'node_modules/vite/bin/vite.js'),
      'build',
      '--config',
      'src/pages/vite.config.ts',
      '--logLevel',
      'warn',
    )
  writeFileSync(stamp, '')
}
