import { expect, vi } from 'vitest'
import { freePort } from '../../bench/free-port.ts'
import { ffmpeg, listening } from './media.ts'

export type Rgb = readonly [red: number, green: number, blue: number]

export type VideoSink = {
  /** Takes one connection with FLV. */
  readonly url: string
  /** Pictures decoded so far. */
  frames(): number
  /** A pixel of the latest picture; undefined before the first. */
  at(x: number, y: number): Rgb | undefined
  /** Resolves with the time at which a pixel was first seen to be so, looking at this picture and every one from now on. */
  seen(x: number, y: number, wanted: (colour: Rgb) => boolean, withinMs?: number): Promise<number>
  /** Tells a pixel of every picture from now on. */
  each(x: number, y: number, take: (colour: Rgb) => void): { stop(): void }
  /** Resolves when so many more pictures have come. */
  pass(pictures: number): Promise<void>
  /** Resolves when a pixel has been so for a while. */
  settled(x: number, y: number, wanted: (colour: Rgb) => boolean): Promise<void>
  /** What of its streams ffmpeg tells: `Video: h264 …`. */
  described(): string
}

const SETTLED_FRAMES = 15

/** Whether a decoded colour is this one to the eye. */
export const near =
  (...wanted: Rgb) =>
  (colour: Rgb) =>
    colour.every((part, index) => Math.abs(part - (wanted[index] ?? 0)) <= 12)

type Size = { width: number; height: number }

/** A player that shows what it gets at once, and lets its pixels be read. HD is taken for BT.709, as players do. */
export async function videoSink(size: Size): Promise<VideoSink> {
  const port = await freePort()
  const url = `tcp://127.0.0.1:${port}`
  return player(size, { port, url, input: ['-f', 'flv', '-i', `${url}?listen=1`] })
}

/** As `videoSink`, for whoever speaks RTMP. */
export async function rtmpSink(size: Size): Promise<VideoSink> {
  const port = await freePort()
  const url = `rtmp://127.0.0.1:${port}/live/player`
  return player(size, { port, url, input: ['-listen', '1', '-i', url] })
}

type Where = { port: number; url: string; input: readonly string[] }

async function player({ width, height }: Size, { port, url, input }: Where): Promise<VideoSink> {
  const colours = height > 576 ? 'bt709' : 'smpte170m'
  // all pixels of HD are more than a busy machine carries in time
  const every = height > 576 ? 4 : 1
  const [columns, rows] = [width / every, height / every]
  const scale = every > 1 ? `${columns}:${rows}:flags=neighbor:` : ''
  const child = ffmpeg([
    ...['-loglevel', 'info', '-fflags', 'nobuffer', '-flags', 'low_delay', '-threads', '1'],
    ...['-analyzeduration', '2000000', ...input],
    ...['-vf', `scale=${scale}in_color_matrix=${colours}:out_range=pc,format=rgb24`, '-fps_mode', 'passthrough'],
    ...['-f', 'rawvideo', '-flush_packets', '1', 'pipe:1', '-vn', '-f', 'null', '-'],
  ])
  const size = columns * rows * 3
  const filling = Buffer.alloc(size)
  const latest = Buffer.alloc(size)
  const watchers = new Set<() => void>()
  let filled = 0
  let frames = 0
  child.stdout?.on('data', (chunk: Buffer) => {
    for (let from = 0; from < chunk.length; ) {
      const copied = chunk.copy(filling, filled, from)
      from += copied
      filled += copied
      if (filled < size) continue
      filling.copy(latest)
      filled = 0
      frames += 1
      for (const look of watchers) look()
    }
  })
  await listening(port)

  const at = (x: number, y: number): Rgb | undefined => {
    if (frames === 0) return undefined
    const [red = 0, green = 0, blue = 0] = latest.subarray(
      (Math.floor(y / every) * columns + Math.floor(x / every)) * 3,
    )
    return [red, green, blue]
  }
  const watch = async (x: number, y: number, take: (colour: Rgb) => void, done: () => boolean, timeout: number) => {
    const look = () => {
      const colour = at(x, y)
      if (colour) take(colour)
    }
    look()
    watchers.add(look)
    try {
      const told = () => `picture ${frames}; ${child.error().slice(-300)}`
      await vi.waitFor(() => expect([done(), at(x, y)], told()).toEqual([true, expect.anything()]), {
        timeout,
        interval: 5,
      })
    } finally {
      watchers.delete(look)
    }
  }
  return {
    url,
    at,
    frames: () => frames,
    described: () => child.error(),
    each(x, y, take) {
      const look = () => {
        const colour = at(x, y)
        if (colour) take(colour)
      }
      watchers.add(look)
      return { stop: () => void watchers.delete(look) }
    },
    async pass(pictures) {
      const until = frames + pictures
      await vi.waitFor(() => expect(frames).toBeGreaterThanOrEqual(until), { timeout: 60_000, interval: 20 })
    },
    async seen(x, y, wanted, withinMs = 60_000) {
      let since: number | undefined
      const look = (colour: Rgb) => {
        if (wanted(colour)) since ??= performance.now()
      }
      await watch(x, y, look, () => since !== undefined, withinMs)
      return since ?? 0
    },
    async settled(x, y, wanted) {
      let count = 0
      const look = (colour: Rgb) => {
        count = wanted(colour) ? count + 1 : 0
      }
      await watch(x, y, look, () => count >= SETTLED_FRAMES, 60_000)
    },
  }
}
