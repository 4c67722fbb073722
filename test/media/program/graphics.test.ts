import { PassThrough, Writable } from 'node:stream'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { confinementIn } from '../../../src/media/program/confinement.ts'
import { connectDevtools } from '../../../src/media/program/devtools.ts'
import { createFeed } from '../../../src/media/program/feed.ts'
import { startGraphics } from '../../../src/media/program/graphics.ts'
import { transparent } from '../../../src/media/program/planes.ts'
import type { SessionListener } from '../../../src/media/program/session.ts'

/** Browsers that do what the test tells them. */
function browsers() {
  const shown: (string | undefined)[] = []
  const told: (string | null)[] = []
  const sessions: { url: string; listener: SessionListener; stopped: boolean; pages: string[] }[] = []
  const graphics = startGraphics('/one', {
    start(url, listener) {
      const session = { url, listener, stopped: false, pages: [] as string[] }
      sessions.push(session)
      return {
        setPage: (next) => void session.pages.push(next),
        frameTaken: () => {},
        recycle: () => {},
        async stop() {
          session.stopped = true
        },
      }
    },
    show: (planes) => shown.push(planes && Buffer.from(planes).toString()),
    tell: (error) => told.push(error),
    backoffMs: (failures) => failures * 1_000,
    steadyMs: 60_000,
  })
  const picture = (name: string) => sessions.at(-1)?.listener.picture(new Uint8Array(Buffer.from(name)))
  const fail = (reason: string) => sessions.at(-1)?.listener.failed(reason)
  return { graphics, shown, told, sessions, picture, fail }
}

describe('graphics over several browsers', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
  afterEach(() => void vi.useRealTimers())

  test('[issue 5.6] the last picture stays for 2 s when its browser is gone, then there is none', () => {
    const { shown, told, sessions, picture, fail } = browsers()
    picture('a')
    fail('died')
    expect([shown, told]).toEqual([['a'], ['died']])
    vi.advanceTimersByTime(1_000)
    expect(sessions.length).toBe(2)
    fail('died again')
    vi.advanceTimersByTime(999)
    expect(shown).toEqual(['a'])
    vi.advanceTimersByTime(1)
    expect(shown).toEqual(['a', undefined])
    vi.advanceTimersByTime(1_000)
    picture('b')
    expect([shown, told]).toEqual([
      ['a', undefined, 'b'],
      ['died', 'died again', null],
    ])
  })

  test('[issue 5.6] a browser that is back in time leaves no gap', () => {
    const { shown, picture, fail } = browsers()
    picture('a')
    fail('died')
    vi.advanceTimersByTime(1_000)
    picture('b')
    vi.advanceTimersByTime(10_000)
    expect(shown).toEqual(['a', 'b'])
  })

  test('[issue 5.6] waits grow with each failure and begin anew after a steady time', () => {
    const { sessions, picture, fail } = browsers()
    for (const seconds of [1, 2, 3]) {
      fail('does not start')
      vi.advanceTimersByTime(seconds * 1_000 - 1)
      expect(sessions.length).toBe(seconds)
      vi.advanceTimersByTime(1)
      expect(sessions.length).toBe(seconds + 1)
    }
    picture('a')
    vi.advanceTimersByTime(60_000)
    fail('died')
    vi.advanceTimersByTime(1_000)
    expect(sessions.length).toBe(5)
  })

  test('another page goes to the browser that runs and to those after it; stopped, none is started', async () => {
    const { graphics, sessions, fail } = browsers()
    graphics.setPage('/two')
    expect(sessions[0]?.pages).toEqual(['/two'])
    fail('died')
    vi.advanceTimersByTime(1_000)
    expect(sessions[1]?.url).toBe('/two')
    fail('died')
    await graphics.stop()
    vi.advanceTimersByTime(100_000)
    expect(sessions.length).toBe(2)
  })
})

describe('the feed of the encoder', () => {
  /** A pipe that takes a frame when the test says so. */
  function pipe() {
    const taken: Uint8Array[] = []
    let take = () => {}
    const writable = new Writable({
      decodeStrings: false,
      write(chunk: Uint8Array, _, done) {
        take = () => {
          taken.push(Uint8Array.from(chunk))
          done()
        }
      },
    })
    const frame = async () => {
      take()
      await new Promise(setImmediate)
      return taken.at(-1)
    }
    return { writable, frame }
  }
  const size = { width: 2, height: 2 }
  const picture = (value: number) => new Uint8Array(10).fill(value)

  test('[issue 5.6] writes the same again while nothing changes, and nothing while hidden', async () => {
    const { writable, frame } = pipe()
    let count = 0
    const feed = createFeed({ ...size, hidden: false }, { taken: () => count++, done: () => {} })
    feed.start(writable)
    expect(await frame()).toEqual(transparent(2, 2))
    const one = picture(1)
    feed.show(one)
    await frame()
    expect([await frame(), await frame()]).toEqual([one, one])
    feed.setHidden(true)
    await frame()
    expect(await frame()).toEqual(transparent(2, 2))
    feed.setHidden(false)
    await frame()
    expect(await frame()).toEqual(one)
    feed.show(undefined)
    await frame()
    expect(await frame()).toEqual(transparent(2, 2))
    expect(count).toBe(10)
  })

  test('a picture is given back once, when it is neither shown nor being written', async () => {
    const { writable, frame } = pipe()
    const back: number[] = []
    const feed = createFeed(
      { ...size, hidden: false },
      { taken: () => {}, done: (planes) => back.push(planes[0] ?? 0) },
    )
    feed.start(writable)
    feed.show(picture(1))
    feed.show(picture(2))
    expect(back).toEqual([1])
    await frame()
    // 2 is being written
    feed.show(picture(3))
    expect(back).toEqual([1])
    await frame()
    expect(back).toEqual([1, 2])
    feed.setHidden(true)
    await frame()
    feed.show(picture(4))
    expect(back).toEqual([1, 2, 3])
  })
})

describe('how a browser is confined', () => {
  const usual = { canDrop: false, roomyShm: true, sandbox: true }

  test('[media 6] it has its sandbox, and never runs as root that may be another user', () => {
    expect(confinementIn(usual)).toEqual({ prefix: [], flags: [] })
    expect(confinementIn({ ...usual, canDrop: true }).prefix.slice(0, 2)).toEqual(['setpriv', '--reuid=65534'])
  })

  test('[issue 15.5] nothing but the word of the administrator takes its sandbox away', () => {
    for (const canDrop of [true, false])
      for (const roomyShm of [true, false]) {
        expect(confinementIn({ canDrop, roomyShm, sandbox: true }).flags).not.toContain('--no-sandbox')
        expect(confinementIn({ canDrop, roomyShm, sandbox: false }).flags).toContain('--no-sandbox')
      }
  })
})

describe('the pipes to a browser', () => {
  test('answers find their questions over any cut, and a browser that is gone answers no more', async () => {
    const [to, from] = [new PassThrough(), new PassThrough()]
    const events: string[] = []
    const devtools = connectDevtools(to, from, ({ method }) => events.push(method))
    const [first, second, third] = [devtools.send('One'), devtools.send('Two'), devtools.send('Three')]
    const text = `${JSON.stringify({ id: 2, error: { message: 'no' } })}\0{"method":"Hello","params":{}}\0{"id":1,"result":{"a":"ü"}}\0`
    for (const byte of Buffer.from(text)) from.write(Buffer.from([byte]))
    expect(await first).toEqual({ a: 'ü' })
    await expect(second).rejects.toThrow('no')
    expect(events).toEqual(['Hello'])
    devtools.close('the browser is gone')
    await expect(third).rejects.toThrow('the browser is gone')
    await expect(devtools.send('Four')).rejects.toThrow('the browser is gone')
    expect(String(to.read()).split('\0').length).toBe(4)
  })
})
