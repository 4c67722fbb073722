import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { PNG } from 'pngjs'
import { describe, expect, test } from 'vitest'
import { freePort } from '../../bench/free-port.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { commandsOf, functions } from '../support/guides.ts'
import { built, start } from '../support/process.ts'
import { noBurnIn } from '../support/program.ts'
import { near } from '../support/video-sink.ts'

const run = promisify(execFile)

describe.skipIf(noBurnIn)('the guide to streams', () => {
  test('[issue 5] its stream works as typed on a new demo: the graphic is in the received picture, Auto Stream starts and stops it', {
    timeout: 480_000,
  }, async () => {
    const [port, rtmpPort, farPort] = [await freePort(), await freePort(), await freePort()]
    const server = start([built('run/server.js')], {
      ...{ HOST: '127.0.0.1', PORT: String(port), DATA_DIR: temporaryDirectory(), LOG_LEVEL: 'warn' },
      ...{ MEDIA_ENGINE: 'embedded', RTMP_PORT: String(rtmpPort), SRT_PORT: '0', OUTBOUND_PRIVATE: 'on' },
    })
    await expect.poll(server.stderr, { timeout: 120_000 }).toMatch(/service_\S+/)
    const printed = (pattern: RegExp) => pattern.exec(server.stderr())?.[0] ?? ''
    const script = [
      // what is left in the background ends with the shell
      `trap 'kill -9 $(jobs -p) 2> /dev/null' EXIT`,
      functions(),
      commandsOf('docs/streams.md', 'A stream with ffmpeg').replace(
        /^export RTMP=.*$/m,
        `export RTMP=${printed(/rtmp:\S+/)}`,
      ),
      commandsOf('docs/streams.md', 'Players: HLS and SRT'),
      commandsOf('docs/streams.md', 'When a far end dies, and Auto Stream'),
    ].join('\n')
    const cwd = temporaryDirectory()
    // the demo's destination on a port of this test
    const url = `rtmp://127.0.0.1:${farPort}/live`
    const moved = await fetch(`http://127.0.0.1:${port}/rest/v1/streams/destinations/2`, {
      method: 'PATCH',
      headers: { Authorization: `Bearer ${printed(/service_\S+/)}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ url }),
    })
    expect(moved.status).toBe(200)
    const here = script.replaceAll('localhost:8080', `127.0.0.1:${port}`).replaceAll('rtmp://127.0.0.1:1936/live', url)
    const { stdout } = await run('bash', ['-e', '-o', 'pipefail', '-c', here], {
      cwd,
      env: { KEY: printed(/service_\S+/), PATH: '/usr/local/bin:/usr/bin:/bin' },
      timeout: 420_000,
      killSignal: 'SIGTERM',
    })
    const answers = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
    expect(answers).toContainEqual(
      expect.objectContaining({ id: 2, status: 'retrying', nextRetryDate: expect.stringMatching(/Z$/) }),
    )
    expect(answers).toContainEqual({ streamSettingsId: 1, autoStream: true })
    const monitoring = answers.find(({ program }) => program !== undefined)
    expect(monitoring).toMatchObject({
      state: 'live',
      input: { state: 'live', protocol: 'rtmp', bitrateKb: expect.any(Number) },
      program: { bitrateKb: expect.any(Number) },
    })
    expect(answers.at(-1)).toMatchObject({ id: 1, state: 'idle', autoStream: true, lastError: null })

    expect(answers).toContainEqual(expect.objectContaining({ name: 'Web player', status: 'connected' }))
    expect(PNG.sync.read(readFileSync(join(cwd, 'player.png')))).toMatchObject({ width: 1280, height: 720 })
    const { width, height, data } = PNG.sync.read(readFileSync(join(cwd, 'frame.png')))
    expect([width, height]).toEqual([1280, 720])
    const colourAt = (x: number, y: number) => {
      const [red = 0, green = 0, blue = 0] = data.subarray((y * width + x) * 4)
      return [red, green, blue] as const
    }
    // the grey of the camera's bars, and over them the colours of the teams in the score bug
    expect(colourAt(30, 200)).toSatisfy(near(102, 102, 102))
    expect(colourAt(76, 80)).toSatisfy(near(179, 19, 43))
    expect(colourAt(254, 80)).toSatisfy(near(31, 111, 214))
    server.kill('SIGTERM')
    expect(await server.ended).toBe(0)
  })
})
