import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { type ChildSpec, openProcesses } from '../../src/media/process.ts'
import { identityOf } from '../../src/media/process-identity.ts'
import { secretsOf } from '../../src/media/redact.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { quiet } from '../support/ingest.ts'
import { start } from '../support/process.ts'

const sh = (script: string, more: Partial<ChildSpec> = {}): ChildSpec => ({
  kind: 'relay',
  of: 7,
  command: 'sh',
  args: ['-c', script, ...(more.args ?? [])],
  ...(more.env && { env: more.env }),
})

async function opened(log = quiet, folder = temporaryDirectory()) {
  const processes = await openProcesses(folder, log)
  onTestFinished(() => processes.close())
  return { processes, folder, files: () => readdirSync(folder).filter((name) => name.endsWith('.json')) }
}

/** A server that started a child and was killed; `path` is where it looks for the leash. */
async function killedServer(folder: string, path: string): Promise<number> {
  const module = new URL('../../dist/src/media/process.js', import.meta.url)
  const program = `
    const { openProcesses } = await import(${JSON.stringify(String(module))})
    const { debug, info, warn } = console
    const processes = await openProcesses(${JSON.stringify(folder)}, { debug() {}, info() {}, warn() {} })
    const child = processes.start({ kind: 'relay', of: 1, command: '/bin/sleep', args: ['60'] })
    const { readdirSync } = await import('node:fs')
    const look = () => readdirSync(${JSON.stringify(folder)}).includes(child.pid + '.json') ? info(child.pid) : setTimeout(look, 5)
    look()
    setTimeout(() => {}, 30_000)`
  const server = start(['--input-type=module', '-e', program], { PATH: path })
  const pid = await server.line((line) => Number(line) || undefined)
  onTestFinished(() => {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // as it should be: it has ended
    }
  })
  server.kill('SIGKILL')
  await server.ended
  return pid
}

describe('a child process of the media plane', () => {
  test('[issue 5.3] that ends by itself tells how, with its last line', async () => {
    const { processes, files } = await opened()
    const child = processes.start(sh('echo first >&2; echo last >&2; exit 3'))
    expect(await child.ended).toEqual({ asked: false, code: 3, signal: null, error: 'last' })
    expect(child.lines()).toEqual(['first', 'last'])
    expect(processes.counts().get('relay')).toEqual({ started: 1, failed: 1 })
    await vi.waitFor(() => expect(files()).toEqual([]), 30_000)
  })

  test('[issue 5.3] that says nothing tells its code or signal', async () => {
    const { processes } = await opened()
    expect((await processes.start(sh('exit 4')).ended).error).toBe('ended with code 4')
    expect((await processes.start(sh('kill -KILL $$')).ended).error).toBe('ended by SIGKILL')
  })

  test('[issue 5.3] that cannot be started is an end, not an exception', async () => {
    const { processes } = await opened()
    const child = processes.start({ kind: 'relay', of: 1, command: '/no/such/ffmpeg', args: [] })
    const { asked, error } = await child.ended
    expect(asked).toBe(false)
    expect(error).toMatch(/no such file|ENOENT/i)
  })

  test.skipIf(process.platform !== 'linux')(
    '[issue 5.3] that was killed may be sent messages until its end is known',
    async () => {
      const { processes } = await opened()
      const failed: unknown[] = []
      const caught = (error: unknown) => void failed.push(error)
      process.on('uncaughtException', caught)
      onTestFinished(() => void process.off('uncaughtException', caught))
      const child = processes.start({
        kind: 'ingest',
        of: 'engine',
        command: process.execPath,
        args: ['-e', 'process.on("message", () => {}); console.error("ready")'],
        stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      })
      await vi.waitFor(() => expect(child.lines()).toEqual(['ready']), { timeout: 30_000 })
      const { ended } = child
      process.kill(child.pid ?? 0, 'SIGKILL')
      // in one turn of the loop, in which nobody can hear of its end
      while (/^State:\s+[^ZX]/m.test(readFileSync(`/proc/${child.pid}/status`, 'utf8'))) {}
      for (let n = 0; n < 3; n++) child.process.send({ n })
      expect(await ended).toMatchObject({ asked: false, signal: 'SIGKILL' })
      expect(failed).toEqual([])
    },
  )

  test('[issue 5.4] is asked to end, and counts as asked', async () => {
    const { processes } = await opened()
    const child = processes.start(sh('sleep 60'))
    expect(await child.stop()).toMatchObject({ asked: true, signal: 'SIGTERM' })
    expect(await child.stop()).toMatchObject({ asked: true, signal: 'SIGTERM' })
    expect(processes.counts().get('relay')).toEqual({ started: 1, failed: 0 })
  })

  test('[issue 5.4] that does not listen is forced after two seconds, with what it started', async () => {
    const { processes } = await opened()
    const child = processes.start(sh("trap '' TERM; sleep 61 & echo $!; while :; do sleep 62; done"))
    const grandchild = await new Promise<number>((resolve) =>
      child.process.stdout?.once('data', (chunk) => resolve(Number(chunk))),
    )
    const since = Date.now()
    expect(await child.stop()).toMatchObject({ asked: true, signal: 'SIGKILL' })
    expect(Date.now() - since).toBeGreaterThanOrEqual(1_990)
    expect(Date.now() - since).toBeLessThan(5_000)
    await vi.waitFor(async () => expect(await identityOf(grandchild)).toBeUndefined(), 30_000)
  })

  test('[issue 5.7] has no secret in what is read of it or logged', async () => {
    const logged: string[] = []
    const log = (fields: object, message: string) => void logged.push(JSON.stringify({ ...fields, message }))
    const { processes } = await opened({ debug: log, info: log, warn: log })
    const url = 'rtmps://me:hunter22@a.example/live2/abcd-1234-key?token=s3cr3t-t'
    const child = processes.start(
      sh('for a in "$0" abcd-1234-key hunter22 s3cr3t-t; do echo "bad $a" >&2; done; exit 1', { args: [url] }),
    )
    expect((await child.ended).error).toBe('bad ***')
    expect(child.lines()).toEqual(['bad rtmps://…', 'bad ***', 'bad ***', 'bad ***'])
    expect(logged).toHaveLength(2)
    expect(logged.join()).not.toMatch(/abcd-1234|hunter22|s3cr3t/)
  })

  test('[issue 5.7] gets none of the settings of the server', async () => {
    vi.stubEnv('DATABASE_URL', 'postgres://secret')
    onTestFinished(() => void vi.unstubAllEnvs())
    const { processes } = await opened()
    const child = processes.start(sh('env >&2', { env: { OWN: 'given' } }))
    await child.ended
    expect(child.lines()).toContain('OWN=given')
    expect(child.lines().join()).not.toContain('secret')
  })

  test('[issue 5.9] is measured while it runs', async () => {
    const { processes } = await opened()
    const child = processes.start(sh('while :; do :; done'))
    await vi.waitFor(async () => {
      const [used] = await processes.usage()
      expect(used).toMatchObject({ kind: 'relay', of: '7', pid: child.pid })
      expect(used?.rssBytes).toBeGreaterThan(100_000)
      expect(used?.cpuMs).toBeGreaterThan(0)
    }, 30_000)
    await child.stop()
    expect(await processes.usage()).toEqual([])
  })

  test('[issue 5.1] cannot be started once the plane is closed, which ends all', async () => {
    const { processes } = await opened()
    const child = processes.start(sh('sleep 60'))
    await processes.close()
    expect(await child.ended).toMatchObject({ asked: true })
    expect(() => processes.start(sh('sleep 60'))).toThrow('closed')
  })
})

describe.runIf(process.platform === 'linux')('after kill -9 of the server', () => {
  test('[issue 5.1] its children are ended by the kernel', async () => {
    // biome-ignore lint/style/noProcessEnv: where setpriv is
    const pid = await killedServer(temporaryDirectory(), String(process.env.PATH))
    await vi.waitFor(async () => expect(await identityOf(pid)).toBeUndefined(), 30_000)
  })

  test('[issue 5.1] a child left behind is ended at the next start, before anything else', async () => {
    const folder = temporaryDirectory()
    const pid = await killedServer(folder, '/nowhere')
    expect(await identityOf(pid)).toBeDefined()
    const warned: object[] = []
    const { files } = await opened({ ...quiet, warn: (fields) => void warned.push(fields) }, folder)
    expect(await identityOf(pid)).toBeUndefined()
    expect(files()).toEqual([])
    expect(warned).toEqual([{ name: 'relay-1' }])
  })

  test('[issue 5.1] another process that has its id now is left alone', async () => {
    const folder = temporaryDirectory()
    const { processes } = await opened(quiet, folder)
    const innocent = processes.start(sh('sleep 60'))
    const other = temporaryDirectory()
    const gone = { pid: 999_999_999, identity: 'x' }
    const left = { pid: innocent.pid, identity: 'another boot/1', name: 'relay-1', owner: gone }
    writeFileSync(join(other, `${innocent.pid}.json`), JSON.stringify(left))
    writeFileSync(join(other, '12.json'), 'half a fi')
    const { files } = await opened(quiet, other)
    expect(await identityOf(innocent.pid ?? 0)).toBeDefined()
    expect(files()).toEqual([])
  })

  test('[issue 5.1] what another living server started in the same folder is left alone', async () => {
    const { processes, folder, files } = await opened()
    const child = processes.start(sh('sleep 60'))
    await vi.waitFor(() => expect(files()).toEqual([`${child.pid}.json`]), 30_000)
    expect(readFileSync(join(folder, `${child.pid}.json`), 'utf8')).not.toContain('sleep')
    await opened(quiet, folder)
    expect(files()).toEqual([`${child.pid}.json`])
  })
})

test('[issue 5.7] secrets of a URL are its key, stream id, tokens and password', () => {
  expect(secretsOf(['-i', 'srt://h:9?streamid=publish:12:topsecret&latency=200000', 'rtmp://h/live/'])).toEqual([
    'publish:12:topsecret',
    'topsecret',
  ])
})
