import { Readable, Writable } from 'node:stream'
import { runCommand } from '../../src/cli/run.ts'
import { ALONE, built, start } from './process.ts'

export type AdminOptions = { environment?: Record<string, string>; input?: string }
export type AdminAnswer = { code: unknown; stdout: string; stderr: string }

const memory = () => {
  const chunks: Buffer[] = []
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk)
      done()
    },
  })
  return { stream, text: () => Buffer.concat(chunks).toString() }
}

/** One administration command in this process: what a process of its own costs is half a second each. */
export async function admin(args: readonly string[], options: AdminOptions = {}): Promise<AdminAnswer> {
  const [stdout, stderr] = [memory(), memory()]
  const code = await runCommand([...args, '--json'], {
    env: { ...ALONE, ...options.environment },
    stdin: Readable.from([Buffer.from(options.input ?? '')]),
    stdout: stdout.stream,
    stderr: stderr.stream,
  })
  return { code, stdout: stdout.text(), stderr: stderr.text() }
}

/** The same as people do it: the built program. */
export async function adminProgram(
  args: readonly string[],
  { environment, input }: AdminOptions = {},
): Promise<AdminAnswer> {
  const running = start([built('run/admin.js'), ...args, '--json'], environment, input)
  const code = await running.ended
  return { code, stdout: running.stdout(), stderr: running.stderr() }
}
