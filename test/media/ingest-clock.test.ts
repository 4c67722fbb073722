import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { Ingest } from '../../src/media/ingest/ingest.ts'
import { openProcesses } from '../../src/media/process.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { quiet, within } from '../support/ingest.ts'
import { ffmpeg, noFfmpeg, speaks, testPicture } from '../support/media.ts'

const ASLEEP_MS = 40_000
/** Longer than from one look at who is silent to the next. */
const HELD_UP_MS = 1_200

/** An ingest in this process, which sends to `url`. */
async function ownIngest(protocol: 'rtmp' | 'srt') {
  const pidFolder = temporaryDirectory()
  const processes = await openProcesses(pidFolder, quiet)
  const told: string[] = []
  const ingest = new Ingest(
    {
      bind: '127.0.0.1',
      rtmpPort: 0,
      srtPort: 0,
      secret: randomBytes(16).toString('hex'),
      graceMs: 15_000,
      ffmpegPath: protocol === 'srt' ? 'ffmpeg' : null,
      pidFolder,
      allowed: [],
      served: [],
    },
    { processes, tell: ({ type }) => told.push(type), readers: () => {}, failed: () => {} },
  )
  onTestFinished(async () => {
    await ingest.close()
    await processes.close()
  })
  const { rtmpPort, srtPort } = await ingest.start()
  ingest.allow({ inputId: 5, streamKey: 'key-of-five', latencyMs: 200 })
  const url =
    protocol === 'rtmp'
      ? `rtmp://127.0.0.1:${rtmpPort}/live/key-of-five`
      : `srt://127.0.0.1:${srtPort}?streamid=publish:5:key-of-five`
  const sender = ffmpeg([...testPicture(), '-f', protocol === 'rtmp' ? 'flv' : 'mpegts', url])
  const bytes = () => ingest.stats('input-5')?.bytesIn ?? 0
  await vi.waitFor(() => expect(bytes()).toBeGreaterThan(0), within)
  return { told, sender, bytes }
}

/** What a machine that was suspended does: it goes on where it was, and its clocks are further. */
function sleep() {
  const [now, wall] = [performance.now.bind(performance), Date.now]
  const until = now() + HELD_UP_MS
  while (now() < until);
  vi.spyOn(performance, 'now').mockImplementation(() => now() + ASLEEP_MS)
  vi.spyOn(Date, 'now').mockImplementation(() => wall() + ASLEEP_MS)
  onTestFinished(() => void vi.restoreAllMocks())
}

describe.skipIf(noFfmpeg)('the silence of a sender', () => {
  test.each(['rtmp', 'srt'] as const)(
    '[issue 5.1] is not the time that the machine was asleep: %s',
    async (protocol) => {
      if (!speaks(protocol)) return
      const { told, sender, bytes } = await ownIngest(protocol)
      sleep()
      await pause(HELD_UP_MS)
      const before = bytes()
      await vi.waitFor(() => expect(bytes()).toBeGreaterThan(before), within)
      expect(told).toEqual(['up'])
      expect(sender.exitCode).toBeNull()
    },
  )
})
