import { spawnSync } from 'node:child_process'
import { getuid } from 'node:process'
import { describe, expect, test, vi } from 'vitest'
import { embeddedEngine, within } from '../support/ingest.ts'
import { ffmpeg, noFfmpeg, speaks, testPicture } from '../support/media.ts'
import { induction } from '../support/srt.ts'

const input = { inputId: 5, streamKey: 'key-of-five', latencyMs: 200 }

/** Writes whole packets of IP to 127.0.0.1, so that they come from wherever they say; perl is on every Debian. */
const SEND = `use Socket;
  socket(my $raw, PF_INET, SOCK_RAW, 255) or die "no raw socket: $!";
  while (<STDIN>) {
    chomp; my ($from, $to, $body) = split / /; $body = pack('H*', $body);
    my $udp = pack('nnnn', $from, $to, 8 + length $body, 0) . $body;
    my $head = pack('CCnnnCCna4a4', 69, 0, 20 + length $udp, 1, 0, 64, 17, 0, inet_aton('127.0.0.1'), inet_aton('127.0.0.1'));
    send($raw, $head . $udp, 0, sockaddr_in(0, inet_aton('127.0.0.1'))) or die "not sent: $!";
  }`

type Spoofed = { from: number; to: number; body: Buffer }
const spoof = (packets: readonly Spoofed[]) => {
  const lines = packets.map(({ from, to, body }) => `${from} ${to} ${body.toString('hex')}\n`)
  return spawnSync('perl', ['-e', SEND], { input: lines.join(''), encoding: 'utf8' })
}

const noRaw = process.platform !== 'linux' || getuid?.() !== 0 || spoof([]).status !== 0

describe.skipIf(noRaw || noFfmpeg || !speaks('srt'))('[issue 15.1] datagrams with a source that nobody has', () => {
  test('end no ingest and no sender, and make it answer itself no more than once', async () => {
    const { engine, processes, event, types } = await embeddedEngine()
    await engine.allow(input)
    ffmpeg([...testPicture(), '-f', 'flv', `${engine.address(input).rtmpUrl}/${input.streamKey}`])
    await event('up')
    const to = Number(/:(\d+)\?/.exec(engine.address(input).srtUrl)?.[1])
    const usage = async () => (await processes.usage()).find(({ kind }) => kind === 'ingest')
    const before = await usage()
    const body = induction()
    const { status, stderr } = spoof([0, to, 0, to, 0].map((from) => ({ from, to, body })))
    expect([status, stderr]).toEqual([0, ''])
    // it handles them before what comes after them
    const bytesIn = async () => (await engine.stats('input-5'))?.bytesIn ?? 0
    const taken = await bytesIn()
    await vi.waitFor(async () => expect(await bytesIn()).toBeGreaterThan(taken + 100_000), within)
    const after = await usage()
    expect(after?.pid).toBe(before?.pid)
    expect(types()).toEqual(['up'])
    // two seconds of a small picture; a loop took a third of a core at least
    expect((after?.cpuMs ?? 0) - (before?.cpuMs ?? 0)).toBeLessThan(500)
  })
})
