import { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Door } from '../../src/nodes/links/door.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
afterEach(() => void vi.useRealTimers())

let port = 1
/** What the door knows of a connection. */
class Connection extends EventEmitter {
  readonly remotePort = port++
  readonly remoteAddress: string
  destroyed = false

  constructor(address: string) {
    super()
    this.remoteAddress = address
  }

  destroy() {
    this.destroyed = true
    this.emit('close')
  }
}
const comes = (address: string) => new Connection(address) as unknown as Socket

const many = (door: Door, count: number, address: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => {
    const socket = comes(address(n))
    return { socket, admitted: door.admit(socket) }
  })

test('who does not show that it knows the secret has two seconds', () => {
  const door = new Door()
  const [slow, node] = [comes('10.0.0.1'), comes('10.0.0.2')]
  expect([door.admit(slow), door.admit(node)]).toEqual([true, true])
  vi.advanceTimersByTime(1_999)
  door.pass(node)
  expect([slow.destroyed, door.size]).toEqual([false, 1])
  vi.advanceTimersByTime(1)
  expect([slow.destroyed, node.destroyed, door.size]).toEqual([true, false, 0])
})

test('the oldest of an address goes when there are too many of it', () => {
  const door = new Door()
  const other = comes('10.0.0.2')
  door.admit(other)
  const same = many(door, 40, () => '10.0.0.1')
  expect(door.size).toBe(33)
  expect(same.map(({ socket }) => socket.destroyed)).toEqual([...Array(8).fill(true), ...Array(32).fill(false)])
  expect(other.destroyed).toBe(false)
})

test('the oldest of all goes when there are too many', () => {
  const door = new Door()
  const all = many(door, 150, (n) => `10.0.0.${n}`)
  expect(door.size).toBe(128)
  expect(all.filter(({ socket }) => socket.destroyed)).toEqual(all.slice(0, 22))
})

test('only so many begin in a second, of one address and of all', () => {
  const door = new Door()
  const admitted = (tried: { admitted: boolean }[]) => tried.filter((each) => each.admitted).length
  expect(admitted(many(door, 80, () => '10.0.0.1'))).toBe(50)
  expect(admitted(many(door, 300, (n) => `10.0.1.${n % 250}`))).toBe(150)
  vi.advanceTimersByTime(1_000)
  expect(admitted(many(door, 80, () => '10.0.0.1'))).toBe(50)
})

test('an address that a node came from does not suffer from what others do', () => {
  const door = new Door()
  const node = comes('10.0.0.1')
  door.admit(node)
  door.pass(node)
  many(door, 400, (n) => `10.0.1.${n % 250}`)
  expect(door.admit(comes('10.0.0.2'))).toBe(false)
  expect(door.admit(comes('10.0.0.1'))).toBe(true)
})

test('what ends by itself is forgotten', () => {
  const door = new Door()
  for (const { socket } of many(door, 10, () => '10.0.0.1')) socket.destroy()
  expect(door.size).toBe(0)
  const left = comes('10.0.0.1')
  door.admit(left)
  door.close()
  expect(left.destroyed).toBe(true)
})
