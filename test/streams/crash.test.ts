import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { freePort } from '../../bench/free-port.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { farEnd, sender, streamOf } from '../support/live.ts'
import { noFfmpeg } from '../support/media.ts'
import { built, start } from '../support/process.ts'

/** What the server remembers of its children. */
const childrenOf = (dataDir: string): { pid: number; name: string }[] => {
  const folder = join(dataDir, 'media', 'pids')
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')))
}

const lives = (pid: number): boolean => {
  try {
    // a zombie has ended
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

describe.skipIf(noFfmpeg ?? (process.platform !== 'linux' && 'no /proc here'))('kill -9', () => {
  test('[issue 5.1] a running stream runs again, what was stopped stays stopped, and no process is left or doubled', async () => {
    const dataDir = temporaryDirectory()
    const [port, rtmpPort] = [await freePort(), await freePort()]
    const serve = async () => {
      const server = start([built('run/server.js')], {
        ...{ HOST: '127.0.0.1', PORT: String(port), DATA_DIR: dataDir, LOG_LEVEL: 'debug' },
        ...{ MEDIA_ENGINE: 'embedded', RTMP_PORT: String(rtmpPort), SRT_PORT: '0', OUTBOUND_PRIVATE: 'on' },
      })
      await expect.poll(server.stderr, { timeout: 120_000 }).toMatch(/API key/)
      return server
    }
    const server = await serve()
    const key = /service_\S+/.exec(server.stderr())?.[0] ?? ''
    const call = async (method: string, path: string, body?: unknown) => {
      const answer = await fetch(`http://127.0.0.1:${port}/rest${path}`, {
        method,
        headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
    }
    const camera = async () => (await call('GET', '/v1/streams/inputs/1')).body
    await expect.poll(camera).toMatchObject({ rtmpUrl: `rtmp://localhost:${rtmpPort}/live` })
    const { streamKey } = await camera()
    const pushUrl = `rtmp://localhost:${rtmpPort}/live/${streamKey}`
    await call('PATCH', '/v1/streams/1', { overlayId: null })
    const stream = streamOf(call, 1)
    const [wantedPort, stoppedPort] = [await freePort(), await freePort()]
    const wantedFar = await farEnd(wantedPort)
    const stoppedFar = await farEnd(stoppedPort)
    const wanted = await stream.addDestination('Wanted', { type: 'rtmp', url: wantedFar.url })
    const stopped = await stream.addDestination('Stopped', { type: 'rtmp', url: stoppedFar.url })
    const first = sender(pushUrl)
    await stream.tell('start')
    await stream.becomes('live')
    await stream.tell('go-live', { destinationIds: [wanted, stopped] })
    await stream.destinationBecomes(wanted, { status: 'connected' })
    await stream.destinationBecomes(stopped, { status: 'connected' })
    await stream.tell('destinations/stop', { destinationIds: [stopped] })
    const names = () =>
      childrenOf(dataDir)
        .map(({ name }) => name)
        .sort()
    await expect.poll(names).toEqual(['ingest-engine', `relay-${wanted}`])
    const before = childrenOf(dataDir)

    server.kill('SIGKILL')
    await server.ended
    first.kill()
    await expect.poll(() => before.filter(({ pid }) => lives(pid))).toEqual([])
    await farEnd(wantedPort)
    const again = await serve()
    // until somebody sends there is nothing to connect with
    await stream.destinationBecomes(wanted, { status: 'connecting', publishing: true })
    sender(pushUrl)
    await stream.destinationBecomes(wanted, { status: 'connected', publishing: true })
    expect(await stream.read()).toMatchObject({ state: 'live' })
    expect(await stream.report(stopped)).toMatchObject({ status: 'connecting', publishing: false })
    const after = childrenOf(dataDir)
    expect(after.map(({ name }) => name).sort()).toEqual(['ingest-engine', `relay-${wanted}`])

    const ingest = after.find(({ name }) => name === 'ingest-engine')
    process.kill(ingest?.pid ?? 0, 'SIGKILL')
    // connecting, or retrying where the sender was faster than this look
    await expect.poll(async () => (await stream.report(wanted)).status, { interval: 50 }).not.toBe('connected')
    await farEnd(wantedPort)
    await stream.destinationBecomes(wanted, { status: 'connected', publishing: true })
    expect(await stream.read()).toMatchObject({ state: 'live', lastError: null })
    const last = childrenOf(dataDir)
    expect(last.map(({ name }) => name).sort()).toEqual(['ingest-engine', `relay-${wanted}`])

    again.kill('SIGTERM')
    expect(await again.ended).toBe(0)
    expect([...after, ...last].filter(({ pid }) => lives(pid))).toEqual([])
    for (const secret of [String(streamKey), '/live/far', key])
      expect([server, again].filter(({ stdout }) => stdout().includes(secret))).toEqual([])
    expect(childrenOf(dataDir)).toEqual([])
  }, 360_000)
})
