import { describe, expect, it } from 'vitest'
import { live, MINUTE, Scheduled } from './scheduled-stream.ts'

describe('[issue 5.5] Auto Stream, in time', () => {
  it('[spec 14] starts, goes live with every destination and stops at the times of the match', () => {
    const stream = new Scheduled('stream').schedule(30, 150)
    stream.until(29)
    expect(stream.context.phase).toBe('stopped')
    stream.until(31)
    expect(stream.context).toMatchObject(live)
    stream.until(149)
    expect(stream.context).toMatchObject(live)
    stream.until(151)
    expect(stream.context).toMatchObject({ phase: 'stopped', error: null })
    expect(stream.until(400).runs).toBe(1)
  })

  it('the same schedule again changes nothing, and sets no timer anew', () => {
    const stream = new Scheduled('stream').schedule(30, 150)
    const before = new Map(stream.timers)
    stream.until(10).schedule(30, 150)
    expect(stream.timers).toEqual(before)
    expect(stream.told).toEqual(['stream.automated'])
  })

  it('a stream that was started to be looked at goes live at its time', () => {
    const stream = new Scheduled('stream').schedule(30, 150).start().until(29)
    expect(stream.context).toMatchObject({ phase: 'running', liveAt: null, publishing: [] })
    expect(stream.until(31).context).toMatchObject(live)
    expect(stream.runs).toBe(1)
  })

  it('a stream that is live already is left as it is, also what was taken off by hand', () => {
    const stream = new Scheduled('stream').schedule(30, 150).start().until(1).goLive()
    stream.all({ type: 'unpublish', destinationIds: [2] })
    expect(stream.until(31).context).toMatchObject({ phase: 'running', publishing: [1] })
    expect(stream.runs).toBe(1)
  })

  it('switched off, it neither starts nor stops anything', () => {
    const stream = new Scheduled('stream').schedule(30, 150).all({ type: 'stopAutomating' })
    expect(stream.timers.size).toBe(0)
    expect(stream.until(31).context.phase).toBe('stopped')
    expect(stream.start().until(200).context.phase).toBe('running')
  })

  it('a start that fails is tried again each minute until it succeeds', () => {
    const stream = new Scheduled('stream').schedule(30, 150).pass(30 * MINUTE)
    stream.all({ type: 'failed', run: 1, error: 'The encoder did not start' })
    expect(stream.context).toMatchObject({ phase: 'stopped', error: 'The encoder did not start' })
    stream.pass(59_999)
    expect(stream.context).toMatchObject({ phase: 'stopped', error: 'The encoder did not start' })
    // nobody sees the second one either
    stream.pass(1).pass(60_000)
    expect(stream.context).toMatchObject({ phase: 'stopped', error: 'The stream did not start in time', run: 2 })
    expect(stream.until(34).context).toMatchObject({ ...live, error: null })
    expect(stream.until(151).context.phase).toBe('stopped')
    expect(stream.runs).toBe(3)
  })

  it('but not beyond its stop, and not once it is switched off', () => {
    const stream = new Scheduled('stream').schedule(0, 5).pass(20 * MINUTE)
    expect(stream.runs).toBe(3)
    expect(stream.context).toMatchObject({ phase: 'stopped', automation: { stopUsed: expect.any(Number) } })
    const off = new Scheduled('stream')
      .schedule(0, 50)
      .pass(1.5 * MINUTE)
      .all({ type: 'stopAutomating' })
    expect(off.pass(20 * MINUTE).runs).toBe(1)
  })

  it('nor before a kick-off that moved away meanwhile', () => {
    const stream = new Scheduled('stream')
      .schedule(30, 150)
      .pass(30 * MINUTE)
      .schedule(90, 210)
    stream.all({ type: 'failed', run: 1, error: 'The encoder did not start' })
    expect(stream.until(89).runs).toBe(1)
    expect(stream.until(91).context).toMatchObject(live)
  })

  it('a start by hand that fails is not tried again', () => {
    const stream = new Scheduled('stream')
      .schedule(30, 150)
      .start()
      .pass(5 * MINUTE)
    expect(stream.context).toMatchObject({ phase: 'stopped', run: 1 })
  })

  it('a start that cannot be is told, and made once it can', () => {
    const cannotStart = 'The stream has no input'
    const stream = new Scheduled('stream').schedule(30, 150, { cannotStart }).until(31)
    expect(stream.context).toMatchObject({ phase: 'stopped', run: 0, error: cannotStart })
    expect(stream.until(40).runs).toBe(0)
    expect(stream.schedule(30, 150).until(41).context).toMatchObject({ ...live, error: null })
  })

  it('starts with its graphics hidden where the settings say so', () => {
    const stream = new Scheduled('stream').schedule(30, 150, { startHidden: true }).until(31)
    expect(stream.context.overlayHidden).toBe(true)
    expect(new Scheduled('stream').schedule(30, 150).until(31).context.overlayHidden).toBe(false)
  })
})

describe('[issue 5.5] a kick-off that changes', () => {
  it('moves start and stop', () => {
    const stream = new Scheduled('stream').schedule(30, 150).until(20).schedule(90, 210)
    expect(stream.until(89).runs).toBe(0)
    expect(stream.until(91).context).toMatchObject(live)
    expect(stream.until(209).context.phase).toBe('running')
    expect(stream.until(211).context.phase).toBe('stopped')
  })

  it('after the start: the stream goes on and is not started again, the stop moves', () => {
    const stream = new Scheduled('stream').schedule(30, 150).until(40).schedule(90, 210)
    expect(stream.until(100).runs).toBe(1)
    expect(stream.context).toMatchObject(live)
    expect(stream.until(151).context.phase).toBe('running')
    expect(stream.until(211).context.phase).toBe('stopped')
  })

  it('to another day after the match was streamed: it is streamed again', () => {
    const stream = new Scheduled('stream').schedule(30, 150).until(151).schedule(1_470, 1_590)
    expect(stream.until(1_469).runs).toBe(1)
    expect(stream.until(1_471).context).toMatchObject(live)
    expect(stream.until(1_591).context.phase).toBe('stopped')
  })

  it('into the past starts at once', () => {
    const stream = new Scheduled('stream').schedule(30, 150).until(10).schedule(5, 125)
    expect(stream.until(11).context).toMatchObject(live)
  })

  it('a match that is played long keeps its stream, one that ends early lets it go', () => {
    const long = new Scheduled('stream').schedule(30, 150).until(60).schedule(30, 510)
    expect(long.until(151).context).toMatchObject(live)
    expect(long.until(180).schedule(30, 200).until(199).context).toMatchObject(live)
    expect(long.until(201).context.phase).toBe('stopped')
    const short = new Scheduled('stream').schedule(30, 150).until(60).schedule(30, 50)
    expect(short.until(61).context.phase).toBe('stopped')
  })

  it('a match without times is neither started nor stopped', () => {
    const stream = new Scheduled('stream').schedule(30, 150).until(40).schedule(null, null)
    expect(stream.until(300).context).toMatchObject(live)
    expect(new Scheduled('stream').schedule(30, 150).schedule(null, 60).until(300).runs).toBe(0)
  })
})

describe('[issue 5.5] what was done by hand', () => {
  it('a manual stop is not undone: not by time, not by a restart, not by a small change of the kick-off', () => {
    const stream = new Scheduled('stream').schedule(30, 150).until(60).stop().until(61)
    expect(stream.until(70).context.phase).toBe('stopped')
    stream.away(5 * MINUTE)
    expect(stream.until(80).context.phase).toBe('stopped')
    // overdue, and later than the start that was made
    expect(stream.schedule(40, 160).until(90).context.phase).toBe('stopped')
    expect(stream.schedule(20, 140).until(100).context.phase).toBe('stopped')
    expect(stream.runs).toBe(1)
  })

  it('not by a kick-off that moves away and back either', () => {
    const stream = new Scheduled('stream').schedule(30, 150).until(60).stop().until(61)
    expect(stream.schedule(1_470, 1_590).schedule(30, 150).until(100).runs).toBe(1)
    expect(stream.schedule(null, null).schedule(30, 150).until(110).runs).toBe(1)
  })

  it('but a start that lies ahead again is made', () => {
    const stream = new Scheduled('stream').schedule(30, 150).until(60).stop().until(61).schedule(120, 240)
    expect(stream.until(121).context).toMatchObject(live)
    expect(stream.runs).toBe(2)
  })

  it('a rehearsal that is stopped before its time does not cost the start', () => {
    const stream = new Scheduled('stream').schedule(30, 150).start().until(10).stop()
    expect(stream.until(31).context).toMatchObject(live)
    expect(stream.runs).toBe(2)
  })

  it('nor does one that is still stopping then', () => {
    const stream = new Scheduled('stream').schedule(30, 150).start().until(29)
    stream.pass(59_000).stop().pass(1_000)
    expect(stream.context).toMatchObject({ phase: 'stopping', liveOnceRunning: true })
    stream.restart().all({ type: 'stopped', run: 1 })
    expect(stream.context).toMatchObject({ phase: 'starting', run: 2 })
    expect(stream.until(31).context).toMatchObject(live)
  })

  it.each([
    ['a second stop', (stream: Scheduled) => stream.stop()],
    ['Auto Stream switched off', (stream: Scheduled) => stream.all({ type: 'stopAutomating' })],
    ['a later kick-off', (stream: Scheduled) => stream.schedule(90, 210)],
  ])('which %s calls off', (_title, callOff) => {
    const stream = new Scheduled('stream').schedule(30, 150).start().until(29)
    stream.pass(59_000).stop().pass(1_000)
    expect(callOff(stream).context).toMatchObject({ phase: 'stopping', liveOnceRunning: false })
    expect(stream.until(60).runs).toBe(1)
  })

  it('a stop that comes while a rehearsal is stopping calls the start off', () => {
    const stream = new Scheduled('stream').schedule(30, 30).start().until(29)
    stream.pass(59_000).stop().schedule(30, 30.1).pass(1_000)
    expect(stream.context.liveOnceRunning).toBe(true)
    expect(stream.pass(6_000).context).toMatchObject({ phase: 'stopping', liveOnceRunning: false })
  })

  it('a stream that is started by hand after its stop is not stopped by a correction of the end', () => {
    const stream = new Scheduled('stream').schedule(30, 150).until(160).start().until(161)
    expect(stream.schedule(30, 151).until(170).context.phase).toBe('running')
    expect(stream.schedule(30, 200).until(201).context.phase).toBe('stopped')
  })
})

describe('[issue 5.5] overdue times after downtime', () => {
  it('a start that is overdue runs at once while its stop is not', () => {
    const stream = new Scheduled('stream')
      .schedule(30, 150)
      .until(20)
      .away(60 * MINUTE)
    expect(stream.until(81).context).toMatchObject(live)
  })

  it('a start whose stop is overdue, too, is not made', () => {
    const stream = new Scheduled('stream')
      .schedule(30, 150)
      .until(20)
      .away(300 * MINUTE)
    expect(stream.until(330).runs).toBe(0)
    expect(stream.context.error).toBeNull()
    // nor when both are told at once
    expect(new Scheduled('stream').until(200).schedule(30, 150).until(210).runs).toBe(0)
  })

  it('unless the end of the match moves', () => {
    const stream = new Scheduled('stream').until(200).schedule(30, 150).until(201).schedule(30, 300)
    expect(stream.until(202).context).toMatchObject(live)
  })

  it('a stop that is overdue runs at once', () => {
    const stream = new Scheduled('stream')
      .schedule(30, 150)
      .until(60)
      .away(300 * MINUTE)
    expect(stream.until(361).context.phase).toBe('stopped')
    expect(stream.runs).toBe(1)
  })

  it('a start that was under way when everybody went away comes about afterwards, and stops in time', () => {
    const stream = new Scheduled('stream').schedule(30, 150).pass(30 * MINUTE)
    expect(stream.context.phase).toBe('starting')
    stream.away(20 * MINUTE)
    expect(stream.until(51).context).toMatchObject(live)
    expect(stream.until(151).context.phase).toBe('stopped')
  })

  it('of two workers that fire one timer the second finds nothing to do', () => {
    const stream = new Scheduled('stream').schedule(30, 150)
    stream.now += 30 * MINUTE
    expect(stream.fire('autoStart').map(({ type }) => type)).toEqual(['stream.automated', 'stream.starting'])
    expect(stream.fire('autoStart')).toEqual([])
    expect(stream.runs).toBe(1)
  })
})
