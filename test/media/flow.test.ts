import { Readable } from 'node:stream'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { FLOW_LIMITS, Flow } from '../../src/media/flow.ts'
import { createMeter } from '../../src/media/meter.ts'
import { type Progress, readProgress } from '../../src/media/progress.ts'

/** Of a relay of ffmpeg 5.1 that was told its key is wrong: one block, then its end 10 ms later. */
const BAD_KEY = `frame=0
fps=0.00
stream_0_0_q=-1.0
bitrate=N/A
total_size=433
out_time_us=0
out_time_ms=0
out_time=00:00:00.000000
dup_frames=0
drop_frames=0
speed=   0x
progress=end
`
/** Of one that sends, four a second; cut to what is read. */
const SENDING = [433, 9_312, 31_870, 52_064, 74_550, 93_102, 118_204, 137_660, 158_010]
  .map((bytes, index) => `frame=${index * 6}\nbitrate= 641.2kbits/s\ntotal_size=${bytes}\nprogress=continue\n`)
  .join('')

async function blocksOf(text: string, cutAt = text.length): Promise<Progress[]> {
  const blocks: Progress[] = []
  const stream = Readable.from([text.slice(0, cutAt), text.slice(cutAt)])
  readProgress(stream, (progress) => blocks.push(progress))
  await new Promise((resolve) => stream.once('close', resolve))
  return blocks
}

describe('progress of ffmpeg', () => {
  test('[issue 5.4] is told a block at a time, however it arrives', async () => {
    const whole = await blocksOf(SENDING)
    expect(whole).toHaveLength(9)
    expect(whole[2]).toEqual({ totalBytes: 31_870, frames: 12 })
    await fc.assert(
      fc.asyncProperty(fc.nat(SENDING.length), async (cutAt) => {
        expect(await blocksOf(SENDING, cutAt)).toEqual(whole)
      }),
      { numRuns: 30 },
    )
  })

  test('[issue 5.4] counts nothing where ffmpeg does not', async () => {
    expect(await blocksOf('total_size=N/A\nprogress=continue\n')).toEqual([{ totalBytes: null, frames: null }])
    expect(await blocksOf('total_size=12\n')).toEqual([])
  })
})

describe('bytes to a far end', () => {
  const flow = () => new Flow(FLOW_LIMITS, 0)

  test('[issue 5.4] a far end that refuses the key takes some, and is never connected', async () => {
    const bad = flow()
    for (const { totalBytes } of await blocksOf(BAD_KEY)) expect(bad.wrote(totalBytes ?? 0, 500)).toBe(false)
  })

  test('[issue 5.4] it is connected once they have grown through the confirm window', async () => {
    const sending = flow()
    const told = (await blocksOf(SENDING)).map(({ totalBytes }, index) => sending.wrote(totalBytes ?? 0, index * 250))
    expect(told).toEqual([false, false, false, true, false, false, false, false, false])
  })

  test('[issue 5.4] bytes that stand still confirm nothing, however long', () => {
    const standing = flow()
    for (let at = 0; at <= 3_000; at += 250) expect(standing.wrote(433, at)).toBe(false)
    expect(standing.wrote(434, 3_250)).toBe(true)
  })

  test('[issue 5.4] none within the time to open is a fault, and so are none for five seconds', () => {
    const silent = flow()
    expect(silent.fault(FLOW_LIMITS.openMs)).toBeUndefined()
    expect(silent.fault(FLOW_LIMITS.openMs + 1)).toBe('silent')
    const stalled = flow()
    stalled.wrote(1_000, 100)
    expect(stalled.fault(5_100)).toBeUndefined()
    expect(stalled.fault(5_101)).toBe('stalled')
  })

  test('[issue 5.4] an input gap is no fault of a destination, which is confirmed anew after it', () => {
    const paused = flow()
    paused.wrote(1_000, 0)
    expect(paused.wrote(2_000, 700)).toBe(true)
    paused.pause(true, 1_000)
    paused.pause(true, 30_000)
    expect(paused.wrote(2_100, 1_100)).toBe(false)
    expect(paused.fault(60_000)).toBeUndefined()
    paused.pause(false, 60_000)
    expect(paused.fault(64_000)).toBeUndefined()
    expect(paused.wrote(3_000, 64_500)).toBe(false)
    expect(paused.wrote(4_000, 65_000)).toBe(false)
    expect(paused.wrote(5_000, 65_100)).toBe(true)
    paused.pause(false, 65_200)
    expect(paused.wrote(6_000, 66_000)).toBe(false)
    paused.pause(true, 70_000)
    paused.pause(false, 70_000)
    expect(paused.fault(75_001)).toBe('stalled')
  })
})

describe('the rate of a connection', () => {
  /** Samples four a second at a constant rate. */
  const fed = (kb: number, untilMs: number, fromMs = 0, meter = createMeter()) => {
    for (let at = fromMs; at <= untilMs; at += 250) meter.sample(1 + ((at - fromMs) * kb) / 8, at)
    return meter
  }

  test('[issue 5.4] is measured over the last five seconds', () => {
    const meter = fed(2_600, 10_000)
    expect(meter.measured(10_000).bitrateKb).toBe(2_600)
    for (let at = 10_250; at <= 15_250; at += 250) meter.sample(1 + (10_000 * 2_600 + (at - 10_000) * 5_000) / 8, at)
    expect(meter.measured(15_250).bitrateKb).toBe(5_000)
  })

  test('[issue 5.4] leaves out what the engine had kept for whoever connects', () => {
    const meter = createMeter()
    meter.sample(1_000_000, 0)
    for (let at = 250; at <= 3_000; at += 250) meter.sample(1_000_000 + at * 100, at)
    expect(meter.measured(3_000).bitrateKb).toBe(800)
  })

  test('[issue 5.4] is null before it can be told, and when nothing flows', () => {
    expect(createMeter().measured(0)).toEqual({ bitrateKb: null, history: [] })
    expect(fed(1_000, 1_500).measured(1_500).bitrateKb).toBeNull()
    const stopped = fed(1_000, 8_000)
    expect(stopped.measured(10_500).bitrateKb).toBeLessThan(1_000)
    expect(stopped.measured(13_100).bitrateKb).toBeNull()
  })

  test('[issue 5.4] begins anew with another connection, and keeps its history', () => {
    const meter = fed(1_000, 8_000)
    meter.begin()
    expect(meter.measured(8_000).bitrateKb).toBeNull()
    expect(meter.measured(8_000).history.length).toBeGreaterThan(0)
    fed(3_000, 12_000, 8_000, meter)
    expect(meter.measured(12_000).bitrateKb).toBe(3_000)
  })

  test('[issue 5.4] goes on when the clock of the machine is set back', () => {
    const ahead = 3_600_000
    const meter = fed(1_000, ahead + 20_000, ahead)
    fed(3_000, 40_000, 21_000, meter)
    const { bitrateKb, history } = meter.measured(40_000)
    expect(bitrateKb).toBe(3_000)
    expect(history.map(({ at }) => at).filter((at) => at > 40_000)).toEqual([])
    expect(history.length).toBeGreaterThan(2)
  })

  test('[issue 5.7] has a point each five seconds, of the last ten minutes', () => {
    const { history } = fed(2_000, 900_000).measured(900_000)
    expect(history).toHaveLength(120)
    expect(new Set(history.map(({ bitrateKb }) => bitrateKb))).toEqual(new Set([2_000]))
    expect((history.at(-1)?.at ?? 0) - (history[0]?.at ?? 0)).toBe(119 * 5_000)
  })
})
