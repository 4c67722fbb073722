import { describe, expect, test } from 'vitest'
import {
  inductionAnswer,
  inductionFor,
  isShutdown,
  readHandshake,
  rejection,
  shutdown,
  withCookie,
} from '../../src/media/ingest/srt-handshake.ts'

/** A conclusion with HSREQ and the stream id `publish:5:key-of-five`, as the protocol lays it out. */
const CONCLUSION = Buffer.from(
  [
    '80000000 00000000 00015f90 00000000',
    '00000005 00000005 5f3a1b2c 000005dc 00002000 ffffffff 2b1c9d4e 0a0b0c0d',
    '0100007f 00000000 00000000 00000000',
    '00010003 00010501 000000bf 00780000',
    '00050006 6c627570 3a687369 656b3a35 666f2d79 7669662d 00000065',
  ]
    .join('')
    .replaceAll(' ', ''),
  'hex',
)

describe('the SRT handshake', () => {
  test('a conclusion tells its socket, its cookie and its stream id, whose words come the other way round', () => {
    expect(readHandshake(CONCLUSION)).toEqual({
      kind: 'conclusion',
      socketId: 0x2b1c9d4e,
      cookie: 0x0a0b0c0d,
      streamId: 'publish:5:key-of-five',
    })
  })

  test('an induction in the name of a caller has version 4 and no cookie, and is read as one', () => {
    const induction = inductionFor(CONCLUSION)
    expect(induction).toHaveLength(64)
    expect(induction.readUInt32BE(16)).toBe(4)
    expect(readHandshake(induction)).toEqual({
      kind: 'induction',
      socketId: 0x2b1c9d4e,
      cookie: 0,
      streamId: undefined,
    })
  })

  test('the answer to an induction asks for version 5 with the magic number and the cookie, and goes to the socket that asked', () => {
    const answer = inductionAnswer(inductionFor(CONCLUSION), 0xfeedbeef)
    expect(answer.readUInt32BE(12)).toBe(0x2b1c9d4e)
    expect(answer.readUInt32BE(16)).toBe(5)
    expect(answer.readUInt16BE(22)).toBe(0x4a17)
    expect(answer.readUInt32BE(44)).toBe(0xfeedbeef)
  })

  test('[issue 15.1] what answers an induction is none itself, whoever it is sent back to', () => {
    const induction = inductionFor(CONCLUSION)
    expect(readHandshake(inductionAnswer(induction, 1))?.kind).toBe('answer')
    const ofNobody = Buffer.from(induction)
    ofNobody.writeUInt32BE(0, 40)
    expect(readHandshake(ofNobody)).toBeUndefined()
    expect(readHandshake(inductionAnswer(ofNobody, 1))?.kind).toBe('answer')
    const toSomebody = Buffer.from(induction)
    toSomebody.writeUInt32BE(7, 12)
    expect(readHandshake(toSomebody)?.kind).toBe('answer')
    expect(readHandshake(Buffer.concat([CONCLUSION, Buffer.alloc(1_400)]))).toBeUndefined()
  })

  test('another cookie changes nothing else', () => {
    const patched = withCookie(CONCLUSION, 1)
    expect(patched.readUInt32BE(44)).toBe(1)
    expect(withCookie(patched, 0x0a0b0c0d)).toEqual(CONCLUSION)
  })

  test('a rejection says why by the number of the protocol', () => {
    expect(rejection(CONCLUSION, 'forbidden').readUInt32BE(36)).toBe(2403)
    expect(rejection(CONCLUSION, 'conflict').readUInt32BE(36)).toBe(2409)
    expect(readHandshake(rejection(CONCLUSION, 'forbidden'))).toBeUndefined()
  })

  test('a goodbye is known as one, data is not', () => {
    expect(isShutdown(shutdown(7))).toBe(true)
    expect(isShutdown(CONCLUSION)).toBe(false)
    expect(isShutdown(Buffer.alloc(1316, 5))).toBe(false)
  })

  test('no packet that is cut off, or lies about its lengths, is taken for more than it is', () => {
    for (let length = 0; length < CONCLUSION.length; length++) {
      const read = readHandshake(CONCLUSION.subarray(0, length))
      expect(read?.streamId).toBeUndefined()
      expect(read === undefined).toBe(length < 64)
    }
    const lying = Buffer.from(CONCLUSION)
    lying.writeUInt16BE(0xffff, 82)
    expect(readHandshake(lying)?.streamId).toBeUndefined()
  })
})
