import { readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import type { ProgramEvent } from '../../src/media/ports.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { ffmpeg, liveSource, plainPicture, testPicture } from '../support/media.ts'
import { noBurnIn, startedProgram, within } from '../support/program.ts'
import { near } from '../support/video-sink.ts'

const GREEN = near(0, 128, 0)
const RED = near(200, 30, 60)
/** In a part of the test picture that does not change. */
const LEFT = [10, 50] as const
const RIGHT = [310, 50] as const
/** As small as a browser and an encoder cost least. */
const SMALL = { width: 320, height: 180 }
const BLUE = near(0, 0, 255)

const alive = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** A program of a blue picture without sound. */
const onBlue = async () => startedProgram(SMALL, await liveSource(0, plainPicture('0x0000ff', '320x180')))

/** Resolves when this is told of the graphics, among the events from `first` on: a page of a busy machine may be late to answer before. */
const told = (events: readonly ProgramEvent[], error: string, first = 0) =>
  vi.waitFor(
    () => expect(events.slice(first)).toContainEqual({ type: 'graphics', error: expect.stringContaining(error) }),
    within,
  )

/** Resolves when the graphics are right again, by the last that was told of them. */
const rightAgain = (events: readonly ProgramEvent[]) =>
  vi.waitFor(() => expect(events.at(-1)).toEqual({ type: 'graphics', error: null }), within)

/** Resolves with what runs for a program. */
const running = ({ pidOf }: Awaited<ReturnType<typeof startedProgram>>) =>
  Promise.all(['browser-7', 'encoder-7', 'program-7'].map(pidOf))

const ended = (pids: readonly number[]) => vi.waitFor(() => expect(pids.filter(alive)).toEqual([]), within)

// a browser and two encoders cost more than all that is asked of them: each program is asked as much as it can be
describe.skipIf(noBurnIn)('a program with burned-in graphics', () => {
  test('[issue 5.6] the graphic is in the decoded picture, hidden, shown and of another page without a restart, and its input may change', async () => {
    const source = await liveSource()
    const { page, sink, up, program, events, pidOf } = await startedProgram({ ...SMALL, hidden: true }, source)
    await Promise.all([up(), page.opened(1)])
    page.show('rgb(0,128,0)')
    const frames = sink.frames()
    await vi.waitFor(() => expect(sink.frames()).toBeGreaterThan(frames + 25), within)
    expect(sink.at(...LEFT)).not.toSatisfy(GREEN)
    program.setHidden(false)
    await sink.seen(...LEFT, GREEN)
    // the rest is the input
    expect(sink.at(...RIGHT)).not.toSatisfy(GREEN)
    program.setHidden(true)
    await sink.seen(...LEFT, (colour) => !GREEN(colour))
    program.setHidden(false)
    await sink.seen(...LEFT, GREEN)
    page.show('rgb(200,30,60)')
    await sink.seen(...LEFT, RED)
    page.show('transparent')
    await sink.seen(...LEFT, (colour) => !GREEN(colour) && !RED(colour))

    // the last of many changes is never lost
    for (let turn = 0; turn < 5; turn++) {
      page.show(`move ${turn}`)
      await sink.seen(50, 50, RED)
      await sink.seen(50, 50, GREEN)
    }
    page.show('rgb(0,128,0)')
    program.setPage(`${page.url}other`)
    await sink.seen(...RIGHT, GREEN)
    expect(sink.at(...LEFT)).not.toSatisfy(GREEN)
    program.setPage(page.url)
    await sink.settled(...LEFT, GREEN)

    // an input that pauses, or comes back in another size
    source.gap(true)
    page.show('rgb(200,30,60)')
    source.gap(false)
    await sink.seen(...LEFT, RED)
    source.change(testPicture({ size: '320x240' }))
    // a narrower picture keeps its shape, and the graphics their place
    await sink.settled(...RIGHT, near(0, 0, 0))
    expect(sink.at(...LEFT)).toSatisfy(RED)
    await vi.waitFor(() => expect(program.measured().bitrateKb).toBeGreaterThan(200), within)
    if (process.platform === 'linux')
      await vi.waitFor(() => expect(program.measured().cpuPercent).toBeGreaterThan(1), within)
    // the far end takes one connection only, so there was one encoder; a browser that is slow on a busy machine is told beside it
    expect(events.filter(({ type }) => type !== 'graphics')).toEqual([{ type: 'up' }])

    process.kill(await pidOf('encoder-7'), 'SIGKILL')
    await vi.waitFor(
      () => expect(events.at(-1)).toEqual({ type: 'failed', error: 'The encoder was ended by SIGKILL' }),
      within,
    )
  })

  test('[issue 5.6] half of the input is seen through what is half transparent, and nothing of what is no overlay page; killed, it leaves nothing', async () => {
    const started = await onBlue()
    const { page, sink, up, events, program, pidOf } = started
    await Promise.all([up(), page.opened(1)])
    page.show('rgba(255,0,0,0.5)')
    await sink.seen(...LEFT, near(128, 0, 128))
    expect(sink.at(...RIGHT)).toSatisfy(BLUE)
    // one without sound gets silence
    expect(sink.described()).toMatch(/Audio: aac/)

    // what a browser shows instead of a page
    page.show('rgb(0,128,0)')
    await sink.seen(...LEFT, GREEN)
    const colours = new Set<string>()
    const watching = sink.each(...RIGHT, (colour) => colours.add(String(BLUE(colour))))
    const left = page.openings()
    page.show('leave')
    await told(events, 'The overlay page does not load any more')
    await page.opened(left + 1)
    await rightAgain(events)
    watching.stop()
    expect([...colours]).toEqual(['true'])

    program.setPage(`${page.url}gone`)
    await told(events, 'The overlay page answers 404')
    expect(sink.at(...LEFT)).not.toSatisfy(near(255, 0, 0))
    const gone = page.openings()
    program.setPage(`${page.url}other`)
    await page.opened(gone + 1)
    page.show('rgb(0,128,0)')
    await sink.seen(...RIGHT, GREEN)

    const pids = await running(started)
    process.kill(await pidOf('program-7'), 'SIGKILL')
    if (process.platform === 'linux') await ended(pids)
  })

  test('[issue 5.6] when the browser dies the picture goes on, and a page that hangs is started again; stopped, it leaves nothing', async () => {
    const started = await onBlue()
    const { page, sink, up, pidOf, events, program } = started
    await Promise.all([up(), page.opened(1)])
    page.show('rgb(0,128,0)')
    await sink.seen(...LEFT, GREEN)
    // one that comes back at once must not hide the gap
    page.show('rgb(200,30,60)')
    await sink.seen(...LEFT, RED)
    const frames = sink.frames()
    const killed = page.openings()
    process.kill(-(await pidOf('browser-7')), 'SIGKILL')
    await told(events, 'SIGKILL')
    // its last picture stays for 2 s
    expect(sink.at(...LEFT)).toSatisfy(RED)
    await page.opened(killed + 1)
    page.show('rgb(0,128,0)')
    await sink.seen(...LEFT, GREEN)
    await rightAgain(events)
    expect(sink.frames()).toBeGreaterThan(frames + 20)

    const [hung, before] = [page.openings(), events.length]
    page.show('hang')
    await told(events, 'The overlay page does not answer', before)
    await page.opened(hung + 1)
    page.show('rgb(200,30,60)')
    await sink.seen(...LEFT, RED)
    await rightAgain(events)
    expect(events.filter(({ type }) => type !== 'graphics')).toEqual([{ type: 'up' }])

    const pids = await running(started)
    await program.stop()
    await ended(pids)
    expect(readdirSync(tmpdir()).filter((name) => name.startsWith(`tally-browser-${pids[0]}`))).toEqual([])
    expect(events.filter(({ type }) => type === 'failed')).toEqual([])
  })

  test('[issue 5.6] it ends with its input, and says so', async () => {
    const file = join(temporaryDirectory(), 'in.flv')
    const made = ffmpeg([...testPicture().filter((arg) => arg !== '-re'), '-t', '2', file])
    await new Promise((resolve) => made.once('exit', resolve))
    const { events, pids } = await startedProgram({ ...SMALL, readUrl: file, inputVolume: 50 })
    await vi.waitFor(() => expect(events.map(({ type }) => type)).toEqual(['up', 'failed']), within)
    expect(events[1]).toEqual({ type: 'failed', error: 'The input ended' })
    await vi.waitFor(() => expect(pids()).toEqual({}), within)
  })

  test('[issue 5.6] an input that is not there is told', async () => {
    const { events } = await startedProgram({ ...SMALL, readUrl: 'tcp://127.0.0.1:1' })
    await vi.waitFor(
      () => expect(events).toEqual([{ type: 'failed', error: expect.stringMatching(/cannot be read: .*refused/) }]),
      within,
    )
  })

  test('[issue 5.6] in 1080p too', async () => {
    const { page, sink, up } = await startedProgram({ width: 1920, height: 1080, fps: 10, videoBitrateKb: 4_000 })
    await Promise.all([up(), page.opened(1)])
    page.show('rgb(0,128,0)')
    await sink.seen(400, 400, GREEN)
    expect(sink.described()).toMatch(/Video: h264 \(High\), yuv420p\(tv, bt709, progressive\), 1920x1080/)
  })
})
