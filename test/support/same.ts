import { isDeepStrictEqual } from 'node:util'
import { expect } from 'vitest'

/** `expect(is).toEqual(wanted)` for a property that asks ten thousand times: an expectation is only made of what differs. */
export function same(is: unknown, wanted: unknown): void {
  if (!isDeepStrictEqual(is, wanted)) expect(is).toEqual(wanted)
}
