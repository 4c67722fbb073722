import { expect, test } from 'vitest'
import { nodeUrl, parseNodeUrl } from '../../src/node-url.ts'

test.each([
  ['tls://node-1:4001', 'node-1', 4001],
  ['http://node-1.example.org:4001/', 'node-1.example.org', 4001],
  ['https://10.0.0.7:443', '10.0.0.7', 443],
  ['HTTPS://Node:1', 'Node', 1],
  ['node_1:65535', 'node_1', 65535],
  [' node-1:4001\n', 'node-1', 4001],
  ['[::1]:4001', '::1', 4001],
  ['tls://[fd00::1]:4001', 'fd00::1', 4001],
  ['tls://[fe80::1%eth0]:4001', 'fe80::1%eth0', 4001],
  ['tls://[::ffff:10.0.0.7]:4001', '::ffff:10.0.0.7', 4001],
])('of %j only host and port count', (url, host, port) => {
  expect(parseNodeUrl(url)).toEqual({ host, port })
})

test.each([
  '',
  'node-1',
  'tls://node-1',
  'http://node-1/',
  ':4001',
  'node-1:0',
  'node-1:65536',
  'node-1:123456',
  'node-1:4001/path',
  'node-1:4001?query',
  'user:word@node-1:4001',
  'ws://node-1:4001',
  'node 1:4001',
  '::1:4001',
  'fd00::1',
  '[node-1]:4001',
  '[::1]',
  '[:::1]:4001',
])('%j is refused by the name of the setting', (url) => {
  expect(() => parseNodeUrl(url)).toThrow(/^NODE_URL must be a host and a port/)
})

test.each([
  [{ host: 'node-1', port: 4001 }, 'tls://node-1:4001'],
  [{ host: '10.0.0.7', port: 4001 }, 'tls://10.0.0.7:4001'],
  [{ host: 'fd00::1', port: 4001 }, 'tls://[fd00::1]:4001'],
])('what is made of %j is read as the same', (endpoint, url) => {
  expect(nodeUrl(endpoint)).toBe(url)
  expect(parseNodeUrl(url)).toEqual(endpoint)
})
