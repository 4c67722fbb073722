import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { healthPages } from '../../src/health/health.ts'
import { createMetrics } from '../../src/metrics/metrics.ts'
import { measureNode } from '../../src/nodes/node-metrics.ts'
import { createProbe } from '../../src/nodes/probe.ts'
import { createFolderBlobs } from '../../src/store/blobs-folder.ts'
import { httpRequest } from '../support/http.ts'

const log = pino({ level: 'silent' })

function newFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'tally-probe-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

const live = ['a', 'b'].map((id) => ({ id }))
const probeIn = (id: string, folder: string, nodes = () => live) =>
  createProbe({ id, blobs: createFolderBlobs(folder), nodes, log })

test('[issue 17.4] a node that cannot read what another wrote says of whom in /readyz', async () => {
  const shared = newFolder()
  const [one, other] = [probeIn('a', shared), probeIn('b', shared)]
  await Promise.all([one.write(), other.write()])
  await Promise.all([one.look(), other.look()])
  expect([one.unread(), other.unread()]).toEqual([[], []])

  let nodes = live
  const apart = probeIn('a', newFolder(), () => nodes)
  await apart.write()
  await apart.look()
  expect(apart.unread()).toEqual(['b'])
  const readiness = {
    database: async () => ({ migrated: true, writable: true }),
    listening: () => true,
    owner: () => true,
    accepting: () => true,
    quarantined: () => [],
    unsettled: () => [],
    media: () => [],
    unreadFilesOf: apart.unread,
  }
  const pages = healthPages(readiness, async () => ({ status: 200, headers: {}, body: '' }), undefined)
  const ready = pages.find(({ path }) => path === '/readyz')
  const reply = await ready?.handle(httpRequest('GET', '/readyz'), {}, '')
  expect([reply?.status, JSON.parse(String(reply?.body))]).toEqual([
    200,
    expect.objectContaining({ ready: true, files: { unreadOf: ['b'] } }),
  ])
  // of one that is gone nobody needs files
  nodes = [{ id: 'a' }]
  expect(apart.unread()).toEqual([])
})

test('a storage that fails is one that cannot be read', async () => {
  const blobs = {
    put: () => Promise.reject(new Error('no bucket')),
    read: () => Promise.reject(new Error('no bucket')),
  }
  const probe = createProbe({ id: 'a', blobs, nodes: () => live, log })
  await probe.write()
  await probe.look()
  expect(probe.unread()).toEqual(['b'])
})

test('[issue 17.7] each node measures what it owns, forwards, takes over and repairs', async () => {
  const metrics = createMetrics()
  const figures = { slotsOwned: 86, takeovers: 3, forwarded: 12 }
  const bus = {
    isUp: () => true,
    publish() {},
    subscribe: () => () => {},
    onUp() {},
    onDown() {},
    close: async () => {},
  }
  measureNode(metrics, { figures: () => figures, bus }, () => 5)
  const lines = async () => (await metrics.render()).body.split('\n').filter((line) => !line.startsWith('#'))
  expect(await lines()).toEqual(
    expect.arrayContaining([
      'tally_slots_owned 86',
      'tally_forwarded_total 12',
      'tally_takeovers_total 3',
      'tally_repaired_total 5',
      'tally_bus_up 1',
    ]),
  )
  figures.forwarded = 13
  expect(await lines()).toContain('tally_forwarded_total 13')
})
