import { expect, it } from 'vitest'
import { keyPressed, keysOf } from '../../../src/pages/control/keys.ts'

it('[issue 6.1] presets have keys in the order of the room, each its own, as far as there are keys', () => {
  const keys = keysOf(Array.from({ length: 50 }, (_, index) => index + 1))
  expect([keys.get(1), keys.get(9), keys.get(10), keys.get(11)]).toEqual(['1', '9', '0', 'Q'])
  expect(new Set(keys.values()).size).toBe(keys.size)
  expect([...keys.values()]).not.toContain('V')
  expect(keys.get(50)).toBeUndefined()
})

it('[issue 6.1] a key is what is printed on it, shifted or not, on every layout', () => {
  expect(keyPressed({ key: '1', code: 'Digit1' })).toBe('1')
  expect(keyPressed({ key: '!', code: 'Digit1' })).toBe('1')
  expect(keyPressed({ key: '&', code: 'Digit1' })).toBe('1')
  expect(keyPressed({ key: '4', code: 'Numpad4' })).toBe('4')
  expect(keyPressed({ key: 'a', code: 'KeyQ' })).toBe('A')
  expect(keyPressed({ key: 'й', code: 'KeyQ' })).toBe('Q')
  expect(keyPressed({ key: 'Enter', code: 'Enter' })).toBeUndefined()
})
