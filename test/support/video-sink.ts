import { expect, vi } from 'vitest'
import { ffmpeg, freePort, listening } from './media.ts'

export type Rgb = readonly [red: number, green: number, blue: number]

export type VideoSink = {
  /** Takes one connection with FLV. */
  readonly url: string
  /** Pictures decoded so far. */
  frames(): number
  /** A pixel of the latest picture; undefined before the first. */
  at(x: number, y: number): Rgb | undefined
  /** Resolves with the time at which a pixel was first seen to be so, looking at every picture from now on. */
  seen(x: number, y: number, wanted: (colour: Rgb) => boolean, withinMs?: number): Promise<number>
  /** What of its streams ffmpeg tells: `Video: h264 …`. */
  described(): string
}

/** Whether a decoded colour is this one to the eye. */
export const near =
  (...wanted: Rgb) =>
  (colour: Rgb) =>
    colour.every((part, index) => Math.abs(part - (wanted[index] ?? 0)) <= 12)

/** A player that shows what it gets at once, and lets its pixels be read. HD is taken for BT.709, as players do. */
export async function videoSink({ width, height }: { width: number; height: number }): Promise<VideoSink> {
  const port = await freePort()
  const url = `tcp://127.0.0.1:${port}`
  const colours = height > 576 ? 'bt709' : 'smpte170m'
  const player = ffmpeg([
    ...['-loglevel', 'info', '-fflags', 'nobuffer', '-flags', 'low_delay', '-threads', '1'],
    ...['-analyzeduration', '2000000', '-f', 'flv', '-i', `${url}?listen=1`],
    ...['-vf', `scale=in_color_matrix=${colours}:out_range=pc,format=rgb24`, '-fps_mode', 'passthrough'],
    ...['-f', 'rawvideo', '-flush_packets', '1', 'pipe:1', '-vn', '-f', 'null', '-'],
  ])
  const size = width * height * 3
  const filling = Buffer.alloc(size)
  const latest = Buffer.alloc(size)
  const watchers = new Set<() => void>()
  let filled = 0
  let frames = 0
  player.stdout?.on('data', (chunk: Buffer) => {
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
    const [red = 0, green = 0, blue = 0] = latest.subarray((y * width + x) * 3)
    return [red, green, blue]
  }
  return {
    url,
    at,
    frames: () => frames,
    described: () => player.error(),
    async seen(x, y, wanted, withinMs = 10_000) {
      let since: number | undefined
      const look = () => {
        const colour = at(x, y)
        if (since === undefined && colour && wanted(colour)) since = performance.now()
      }
      watchers.add(look)
      try {
        await vi.waitFor(() => expect([since !== undefined, at(x, y)]).toEqual([true, expect.anything()]), {
          timeout: withinMs,
          interval: 5,
        })
        return since ?? 0
      } finally {
        watchers.delete(look)
      }
    },
  }
}
