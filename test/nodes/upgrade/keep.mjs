// Keeps the build of a release beside this file, for the tests that run it beside the new one: node test/nodes/upgrade/keep.mjs v1.2.0
import { execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { brotliCompressSync, constants } from 'node:zlib'
import { minifySync } from 'vite'

const here = dirname(fileURLToPath(import.meta.url))
const root = join(here, '../../..')
/** What runs in threads is no part of the gathered programs. */
const THREADS = ['src/parsing/thread.js', 'src/motion/thread.js']
/** The old code repairs files of its own version of the driver: it cannot take that of the new one. */
const DRIVER = ['package.json', 'cjs']

const [, , ref] = process.argv
if (!ref) throw new Error('which release? give its tag or commit')
const git = (...args) => execFileSync('git', args, { cwd: root, maxBuffer: 1e9 })
const commit = git('rev-parse', `${ref}^{commit}`).toString().trim()

const work = mkdtempSync(join(tmpdir(), 'tally-release-'))
try {
  const source = join(work, 'source')
  mkdirSync(source)
  execFileSync('tar', ['-x', '-C', source], { input: git('archive', commit) })
  symlinkSync(join(root, 'node_modules'), join(source, 'node_modules'))
  execFileSync(process.execPath, ['src/build.mjs'], { cwd: source, stdio: 'inherit' })
  const kept = join(work, 'kept')
  keep(join(source, 'dist'), join(kept, 'dist'))
  cpSync(join(source, 'package.json'), join(kept, 'package.json'))
  for (const name of DRIVER)
    cpSync(join(root, 'node_modules/postgres', name), join(kept, 'node_modules/postgres', name), { recursive: true })
  const { version } = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8'))
  const migrations = readdirSync(join(kept, 'dist/src/store/migrations')).sort()
  const machines = await machinesOf(join(source, 'dist'))
  writeFileSync(
    join(here, 'release.json'),
    `${JSON.stringify({ version, commit, knows: migrations.at(-1), machines }, null, 2)}\n`,
  )
  const same = ['--sort=name', '--mtime=@0', '--owner=0', '--group=0', '--numeric-owner', '--mode=a+rX,u+w,go-w']
  const tar = execFileSync('tar', [...same, '-c', '-C', kept, '.'], { maxBuffer: 1e9 })
  const params = { [constants.BROTLI_PARAM_LGWIN]: 24, [constants.BROTLI_PARAM_SIZE_HINT]: tar.length }
  const archive = brotliCompressSync(tar, { params })
  writeFileSync(join(here, 'release.tar.br'), archive)
  process.stderr.write(`${commit} is kept, in ${Math.round(archive.length / 1024)} KB\n`)
} finally {
  rmSync(work, { recursive: true, force: true })
}

/** The programs with what they read at their start: of the pages no more than that. */
function keep(dist, to) {
  for (const name of readdirSync(join(dist, 'run'))) {
    const code = readFileSync(join(dist, 'run', name), 'utf8')
    write(join(to, 'run', name), withoutBlanks(name, code))
  }
  for (const path of ['CHANGELOG.md', 'demo/theme', 'src/store/migrations'])
    cpSync(join(dist, path), join(to, path), { recursive: true })
  for (const page of readdirSync(join(dist, 'pages'))) {
    const path = join('pages', page, 'index.html')
    if (existsSync(join(dist, path))) cpSync(join(dist, path), join(to, path))
  }
  const found = new Set(THREADS.map((path) => join(dist, path)))
  // a set that grows is walked to its end
  for (const path of found) {
    const code = readFileSync(path, 'utf8')
    write(join(to, relative(dist, path)), code)
    for (const [, from] of code.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g))
      found.add(resolve(dirname(path), from))
  }
}

/** The same program in less room: nothing is renamed or left out but comments. */
function withoutBlanks(name, code) {
  const { code: short, errors } = minifySync(name, code, {
    module: true,
    compress: false,
    mangle: false,
    codegen: { removeWhitespace: true },
  })
  if (errors.length > 0) throw new Error(`${name}: ${errors[0].message}`)
  return short
}

function write(path, text) {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

/** The version of the snapshots that each machine writes. */
async function machinesOf(dist) {
  const { kinds } = await import(pathToFileURL(join(dist, 'machines/kinds.js')).href)
  return Object.fromEntries(Object.entries(kinds).map(([kind, { version }]) => [kind, version]))
}
