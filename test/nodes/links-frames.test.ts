import { expect, test } from 'vitest'
import {
  encode,
  type Frame,
  FrameFault,
  FrameReader,
  FrameTooLarge,
  FrameType,
  MAX_FRAME_BYTES,
} from '../../src/nodes/links/frames.ts'
import { seeded } from '../support/random.ts'

const framesOf = (chunks: readonly Buffer[]) => {
  const frames: Frame[] = []
  const reader = new FrameReader((frame) => frames.push(frame))
  for (const chunk of chunks) reader.push(chunk)
  return frames
}

test.each([1, 2, 3])('frames come out as they went in, in whatever pieces they arrive (seed %i)', (seed) => {
  const random = seeded(seed)
  const frames = Array.from({ length: 300 }, (_, id): Frame => {
    const head = random.pick([undefined, null, { text: 'é\u2028𝄞', list: [1, 'two'] }, 'x'.repeat(random.below(3_000))])
    return {
      type: random.pick([1, 2, 3, 4, 5]),
      id,
      kind: random.pick(['', 'take']),
      head,
      body: bytes(random.below(50)),
    }
  })
  const all = Buffer.concat(frames.map(({ type, id, kind, head, body }) => encode(type, id, kind, head, body)))
  const chunks: Buffer[] = []
  for (let at = 0; at < all.length; ) {
    const end = Math.min(all.length, at + 1 + random.below(random.pick([3, 40, 20_000])))
    chunks.push(all.subarray(at, end))
    at = end
  }
  expect(framesOf(chunks)).toEqual(frames)
  expect(framesOf([all])).toEqual(frames)
})

test('the largest frame comes through, and a byte more is not made', () => {
  const largest = encode(FrameType.ask, 7, 'take', undefined, Buffer.alloc(MAX_FRAME_BYTES - 20))
  expect(largest.length).toBe(MAX_FRAME_BYTES)
  expect(framesOf([largest.subarray(0, 5), largest.subarray(5)])[0]?.body.length).toBe(MAX_FRAME_BYTES - 20)
  expect(() => encode(FrameType.ask, 7, 'take', undefined, Buffer.alloc(MAX_FRAME_BYTES - 19))).toThrow(FrameTooLarge)
})

test.each([
  ['shorter than a header', (frame: Buffer) => frame.writeUInt32BE(11, 0)],
  ['larger than any frame', (frame: Buffer) => frame.writeUInt32BE(MAX_FRAME_BYTES - 3, 0)],
  ['four gigabytes', (frame: Buffer) => frame.writeUInt32BE(0xffff_ffff, 0)],
  ['with a head that ends behind it', (frame: Buffer) => frame.writeUInt32BE(1_000, 12)],
  ['with a head of four gigabytes', (frame: Buffer) => frame.writeUInt32BE(0xffff_ffff, 12)],
  ['with a kind that ends behind it', (frame: Buffer) => frame.writeUInt8(255, 5)],
  ['with a head that is no JSON', (frame: Buffer) => frame.write('}', 20)],
])('a frame that is %s is a fault as soon as it is seen', (_, spoil) => {
  const frame = encode(FrameType.ask, 1, 'take', { a: 1 })
  spoil(frame)
  expect(() => framesOf([frame])).toThrow(FrameFault)
})

function bytes(length: number): Buffer {
  return Buffer.from(Array.from({ length }, (_, index) => index))
}
