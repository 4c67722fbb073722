import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { createHlsShelf, PLAYLIST } from '../../src/media/hls-shelf.ts'
import { ownMediaFolder } from '../../src/media/own-folder.ts'
import { openPidFiles } from '../../src/media/pidfiles.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { ALONE } from '../support/process.ts'

const SERVICE = { ...ALONE, DATABASE_URL: 'postgres://tally@db:5432/tally', REDIS_URL: 'redis://redis:6379' }

const folderOf = (environment: Record<string, string>, place?: number, dataDir = '/data') =>
  ownMediaFolder(readConfig({ ...SERVICE, DATA_DIR: dataDir, ...environment }, place))

test.each([
  [{ REDIS_URL: '', DATABASE_URL: '' }, undefined, 'media'],
  [{ REDIS_URL: '' }, undefined, 'media'],
  [{ NODE_URL: 'node-1:8081' }, undefined, 'media-node-1-8081'],
  [{ NODE_URL: 'tls://node-1:8081/' }, undefined, 'media-node-1-8081'],
  [{ NODE_URL: 'https://node-1:443' }, undefined, 'media-node-1-443'],
  [{ NODE_URL: 'node-1:80' }, undefined, 'media-node-1-80'],
  [{ NODE_URL: '[fd00::1]:8081' }, undefined, 'media-_fd00_1_-8081'],
  [{ PORT: '9000' }, undefined, `media-${hostname()}-9001`],
  // two that were started by hand on one machine
  [{ NODE_URL: '127.0.0.1:8081' }, undefined, 'media-127.0.0.1-8081'],
  // of several that one process keeps: their ports are others at each start
  [{ NODE_URL: '127.0.0.1:40123' }, 1, 'media'],
  [{ NODE_URL: '127.0.0.1:40124' }, 2, 'media-2'],
  [{ NODE_URL: 'one.example:8082' }, 2, 'media-one.example-8082'],
])('%j in place %j has the folder %s', (environment, place, name) => {
  expect(folderOf(environment, place)).toBe(join('/data', name))
})

test('[cluster 7] nodes that share DATA_DIR take nothing of each other for the rest of a run that was killed', async () => {
  const dataDir = temporaryDirectory()
  const [one, two] = ['node-1:8081', 'node-2:8081'].map((url) => folderOf({ NODE_URL: url }, undefined, dataDir)) as [
    string,
    string,
  ]
  const [here, there] = [one, two].map((folder) => createHlsShelf(join(folder, 'hls'))) as [
    ReturnType<typeof createHlsShelf>,
    ReturnType<typeof createHlsShelf>,
  ]
  const entry = await here.open('first', () => null)
  writeFileSync(join(entry.folder, PLAYLIST), '#EXTM3U')
  // a start of its own sweeps what it finds, and so does a stream that moved while its old node had not ended it yet
  await there.open('second', () => null)
  const moved = await there.open('first', () => null)
  expect(await here.playlist('first', 'player')).toBe('#EXTM3U')
  await entry.close()
  expect(existsSync(moved.folder)).toBe(true)

  // what another container remembers, whose processes are nobody's here
  const left = join(one, 'pids', '4000000.json')
  mkdirSync(join(one, 'pids'), { recursive: true })
  const gone = { pid: 4_000_000, identity: 'boot/1' }
  writeFileSync(left, JSON.stringify({ ...gone, name: 'relay-1', owner: gone }))
  await (await openPidFiles(join(two, 'pids'))).reap()
  expect(existsSync(left)).toBe(true)
})
