import { createHash, randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { sha256 } from '../../src/pages/shared/sha256.ts'

test('[issue 18.7] a page hashes a picture as everybody does, of any length', () => {
  for (const length of [0, 1, 55, 56, 63, 64, 65, 119, 120, 1000, 100_000]) {
    const bytes = randomBytes(length)
    expect([length, sha256(bytes)]).toEqual([length, createHash('sha256').update(bytes).digest('hex')])
  }
})
