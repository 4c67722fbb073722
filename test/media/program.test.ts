import { readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { temporaryDirectory } from '../support/directory.ts'
import { ffmpeg, liveSource, plainPicture, testPicture } from '../support/media.ts'
import { noBurnIn, startedProgram, within } from '../support/program.ts'
import { near } from '../support/video-sink.ts'

const GREEN = near(0, 128, 0)
const RED = near(200, 30, 60)
/** In a part of the test picture that does not change. */
const LEFT = [20, 100] as const
const RIGHT = [620, 100] as const

const alive = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

describe.skipIf(noBurnIn)('a program with burned-in graphics', () => {
  test('[issue 5.6] a decoded pixel has the colour of the graphic, the rest is the input', async () => {
    const { page, sink, up, program, events } = await startedProgram()
    await Promise.all([up(), page.opened(1)])
    page.show('rgb(0,128,0)')
    await sink.seen(...LEFT, GREEN)
    expect(sink.at(...RIGHT)).not.toSatisfy(GREEN)
    page.show('rgb(200,30,60)')
    await sink.seen(...LEFT, RED)
    page.show('transparent')
    await sink.seen(...LEFT, (colour) => !GREEN(colour) && !RED(colour))
    await vi.waitFor(() => expect(program.measured().bitrateKb).toBeGreaterThan(200), within)
    if (process.platform === 'linux')
      await vi.waitFor(() => expect(program.measured().cpuPercent).toBeGreaterThan(1), within)
    expect(events).toEqual([{ type: 'up' }])
  })

  test('[issue 5.6] what is half transparent lets half of the input through; one without sound gets silence', async () => {
    const { page, sink, up } = await startedProgram({}, await liveSource(0, plainPicture('0x0000ff')))
    await Promise.all([up(), page.opened(1)])
    page.show('rgba(255,0,0,0.5)')
    await sink.seen(...LEFT, near(128, 0, 128))
    expect(sink.at(...RIGHT)).toSatisfy(near(0, 0, 255))
    expect(sink.described()).toMatch(/Audio: aac/)
  })

  test('[issue 5.6] hide and show, and another page, take effect without a restart', async () => {
    const { page, sink, up, program, events } = await startedProgram({ hidden: true })
    await Promise.all([up(), page.opened(1)])
    page.show('rgb(0,128,0)')
    const frames = sink.frames()
    await vi.waitFor(() => expect(sink.frames()).toBeGreaterThan(frames + 25), within)
    expect(sink.at(...LEFT)).not.toSatisfy(GREEN)
    program.setHidden(false)
    await sink.seen(...LEFT, GREEN)
    program.setHidden(true)
    await sink.seen(...LEFT, (colour) => !GREEN(colour))
    program.setHidden(false)
    await sink.seen(...LEFT, GREEN)
    program.setPage(`${page.url}other`)
    await sink.seen(...RIGHT, GREEN)
    expect(sink.at(...LEFT)).not.toSatisfy(GREEN)
    // the far end takes one connection only, so there was one encoder
    expect(events).toEqual([{ type: 'up' }])
  })

  test('[issue 5.6] the last of many changes is never lost', async () => {
    const { page, sink, up } = await startedProgram()
    await Promise.all([up(), page.opened(1)])
    for (let turn = 0; turn < 5; turn++) {
      page.show(`move ${turn}`)
      await sink.seen(100, 100, RED)
      await sink.seen(100, 100, GREEN)
    }
  })

  test('[issue 5.6] when the browser dies the picture goes on: its last frame for 2 s, then none, then a new browser', async () => {
    const { page, sink, up, pidOf, events } = await startedProgram()
    await Promise.all([up(), page.opened(1)])
    page.show('rgb(0,128,0)')
    await sink.seen(...LEFT, GREEN)
    // one that comes back at once must not hide the gap
    page.show('rgb(200,30,60)')
    await sink.seen(...LEFT, RED)
    const frames = sink.frames()
    process.kill(-(await pidOf('browser-7')), 'SIGKILL')
    await vi.waitFor(
      () => expect(events[1]).toEqual({ type: 'graphics', error: expect.stringContaining('SIGKILL') }),
      within,
    )
    expect(sink.at(...LEFT)).toSatisfy(RED)
    await page.opened(2)
    page.show('rgb(0,128,0)')
    await sink.seen(...LEFT, GREEN)
    expect(events.at(-1)).toEqual({ type: 'graphics', error: null })
    expect(sink.frames()).toBeGreaterThan(frames + 20)
    expect(events.filter(({ type }) => type !== 'graphics')).toEqual([{ type: 'up' }])
  })

  test('[issue 5.6] a page that hangs is started again', async () => {
    const { page, sink, up, events } = await startedProgram()
    await Promise.all([up(), page.opened(1)])
    page.show('hang')
    await vi.waitFor(
      () => expect(events[1]).toEqual({ type: 'graphics', error: 'The overlay page does not answer' }),
      within,
    )
    await page.opened(2)
    page.show('rgb(0,128,0)')
    await sink.seen(...LEFT, GREEN)
    expect(events[2]).toEqual({ type: 'graphics', error: null })
  })

  test('[issue 5.6] a page that is not there is told, and never seen', async () => {
    const { page, sink, up, events, program } = await startedProgram({}, await liveSource(0, plainPicture('0x0000ff')))
    await Promise.all([up(), page.opened(1)])
    program.setPage(`${page.url}gone`)
    await vi.waitFor(
      () => expect(events[1]).toEqual({ type: 'graphics', error: 'The overlay page answers 404' }),
      within,
    )
    expect(sink.at(...LEFT)).not.toSatisfy(near(255, 0, 0))
    program.setPage(`${page.url}other`)
    await page.opened(2)
    page.show('rgb(0,128,0)')
    await sink.seen(...RIGHT, GREEN)
  })

  test('[issue 5.6] what a browser shows instead of a page is never seen', async () => {
    const { page, sink, up, events } = await startedProgram({}, await liveSource(0, plainPicture('0x0000ff')))
    await Promise.all([up(), page.opened(1)])
    page.show('rgb(0,128,0)')
    await sink.seen(...LEFT, GREEN)
    const colours = new Set<string>()
    const watched = sink.seen(...RIGHT, (colour) => {
      colours.add(String(near(0, 0, 255)(colour)))
      return events.at(-1)?.type === 'graphics' && events.length === 3
    })
    page.show('leave')
    await vi.waitFor(
      () => expect(events[1]).toEqual({ type: 'graphics', error: 'The overlay page does not load any more' }),
      within,
    )
    await page.opened(2)
    await watched
    expect([...colours]).toEqual(['true'])
    expect(events[2]).toEqual({ type: 'graphics', error: null })
  })

  test('[issue 5.6] an input that pauses, or comes back in another size, goes on in the same program', async () => {
    const source = await liveSource()
    const { page, sink, up, events } = await startedProgram({}, source)
    await Promise.all([up(), page.opened(1)])
    page.show('rgb(0,128,0)')
    await sink.settled(...LEFT, GREEN)
    source.gap(true)
    page.show('rgb(200,30,60)')
    source.gap(false)
    await sink.seen(...LEFT, RED)
    source.change(testPicture({ size: '640x480' }))
    // a narrower picture keeps its shape, and the graphics their place
    await sink.settled(...RIGHT, near(0, 0, 0))
    expect(sink.at(...LEFT)).toSatisfy(RED)
    expect(events).toEqual([{ type: 'up' }])
  })

  test('[issue 5.6] it ends with its input, and says so', async () => {
    const file = join(temporaryDirectory(), 'in.flv')
    const made = ffmpeg([...testPicture().filter((arg) => arg !== '-re'), '-t', '2', file])
    await new Promise((resolve) => made.once('exit', resolve))
    const { events, pids } = await startedProgram({ readUrl: file, inputVolume: 50 })
    await vi.waitFor(() => expect(events.map(({ type }) => type)).toEqual(['up', 'failed']), within)
    expect(events[1]).toEqual({ type: 'failed', error: 'The input ended' })
    await vi.waitFor(() => expect(pids()).toEqual({}), within)
  })

  test('[issue 5.6] an encoder that dies is told, and an input that is not there', async () => {
    const { events, up, pidOf } = await startedProgram()
    await up()
    process.kill(await pidOf('encoder-7'), 'SIGKILL')
    await vi.waitFor(
      () => expect(events.at(-1)).toEqual({ type: 'failed', error: 'The encoder was ended by SIGKILL' }),
      within,
    )
    const { events: more } = await startedProgram({ readUrl: 'tcp://127.0.0.1:1' })
    await vi.waitFor(
      () => expect(more).toEqual([{ type: 'failed', error: expect.stringMatching(/cannot be read: .*refused/) }]),
      within,
    )
  })

  test('[issue 5.1] nothing of it is left when it is stopped, or when it is killed', async () => {
    for (const end of ['stop', 'kill'] as const) {
      const { up, pidOf, program, events } = await startedProgram()
      await up()
      const [browser, encoder, own] = [await pidOf('browser-7'), await pidOf('encoder-7'), await pidOf('program-7')]
      if (end === 'stop') await program.stop()
      else process.kill(own, 'SIGKILL')
      if (process.platform === 'linux' || end === 'stop')
        await vi.waitFor(() => expect([browser, encoder, own].filter(alive)).toEqual([]), within)
      if (end === 'stop') {
        expect(readdirSync(tmpdir()).filter((name) => name.startsWith(`tally-browser-${browser}`))).toEqual([])
        expect(events.filter(({ type }) => type === 'failed')).toEqual([])
      }
    }
  })

  test('[issue 5.6] in 1080p too', async () => {
    const { page, sink, up } = await startedProgram({ width: 1920, height: 1080, videoBitrateKb: 4_000 })
    await Promise.all([up(), page.opened(1)])
    page.show('rgb(0,128,0)')
    await sink.seen(400, 400, GREEN)
    expect(sink.described()).toMatch(/Video: h264 \(High\), yuv420p\(tv, bt709, progressive\), 1920x1080/)
  })
})
