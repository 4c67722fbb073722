// Compares the prebuilt engine that npm installed with the hashes in engine.txt beside this file: nothing differs, nothing is
// missing, nothing is there besides. With `--upstream CLONE` it also looks for the same bytes in upstream's releases.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const here = fileURLToPath(new URL('.', import.meta.url))
const { values } = parseArgs({
  options: { upstream: { type: 'string' }, engine: { type: 'string' } },
})
const folder = values.engine ?? join(here, '../node_modules/uWebSockets.js/dist')

const listed = readFileSync(join(here, 'engine.txt'), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => line.split(' '))
const installed = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
  /\.(node|m?js)$/.test(name),
)
const faults = installed
  .filter((name) => !listed.some(([, , file]) => file === name))
  .map((name) => `${name} is not listed`)
for (const [sha256, blob, file] of listed) {
  const path = join(folder, file)
  if (!existsSync(path)) {
    faults.push(`${file} is missing`)
    continue
  }
  const bytes = readFileSync(path)
  const own = createHash('sha256').update(bytes).digest('hex')
  const git = createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex')
  if (own !== sha256 || git !== blob) faults.push(`${file} is not what is listed (sha256 ${own})`)
}

if (values.upstream !== undefined) {
  const git = (...args) => execFileSync('git', ['-C', values.upstream, ...args], { encoding: 'utf8', maxBuffer: 1e9 })
  const binaries = listed.filter(([, , file]) => file.endsWith('.node'))
  const wanted = new Set(binaries.map(([, blob]) => blob))
  const releases = git('tag', '--list', 'v20.*').split('\n').filter(Boolean)
  const shared = releases.map((release) => {
    const tree = git('ls-tree', '-r', release).split('\n')
    return { release, same: tree.filter((line) => wanted.has(line.split(/\s+/)[2])).length }
  })
  const best = shared.sort((a, b) => b.same - a.same)[0]
  if (best?.same === binaries.length) process.stdout.write(`the bytes are those of upstream's ${best.release}\n`)
  else
    faults.push(
      `upstream's nearest release is ${best?.release ?? 'none'}, with ${best?.same ?? 0} of ${binaries.length} files`,
    )
}

for (const fault of faults) process.stderr.write(`the prebuilt engine: ${fault}\n`)
if (faults.length === 0) process.stdout.write(`the prebuilt engine: ${listed.length} files are as listed\n`)
process.exitCode = faults.length === 0 ? 0 : 1
