import { networkInterfaces } from 'node:os'
import { expect, test } from 'vitest'
import { createAnswerable, plain } from '../../src/media/ingest/datagram-sources.ts'

const OURS = 8890
const isAnswerable = createAnswerable((port) => port === OURS)
const ownAddresses = Object.values(networkInterfaces()).flatMap((all) => all?.map(({ address }) => address) ?? [])

test.each(['203.0.113.7', '127.0.0.1', '::1', '2001:db8::1', '::ffff:203.0.113.7', 'fe80::1%eth0'])(
  '[issue 15.1] somebody at %s is answered at every port but 0',
  (address) => {
    for (const port of [1, 1024, 65_535]) expect(isAnswerable({ address, port })).toBe(true)
    for (const port of [0, -1, 65_536, 1.5, Number.NaN]) expect(isAnswerable({ address, port })).toBe(false)
  },
)

test.each(['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1', ...ownAddresses])(
  '[issue 15.1] we are not answered at %s by ourselves, others with our port elsewhere are',
  (address) => {
    expect(isAnswerable({ address, port: OURS })).toBe(false)
    expect(isAnswerable({ address, port: OURS + 1 })).toBe(true)
    expect(isAnswerable({ address: '203.0.113.7', port: OURS })).toBe(true)
  },
)

test.each(['0.0.0.0', '0.1.2.3', '224.0.0.1', '255.255.255.255', '::', '::ffff:0.0.0.0', 'ff02::1', '', 'nobody'])(
  '[issue 15.1] nobody is at "%s"',
  (address) => {
    expect(isAnswerable({ address, port: 1024 })).toBe(false)
  },
)

test('an address is told without its zone and without the clothes of IPv6', () => {
  expect([plain('::ffff:10.0.0.1'), plain('fe80::1%eth0'), plain('::ffff:1')]).toEqual([
    '10.0.0.1',
    'fe80::1',
    '::ffff:1',
  ])
})
