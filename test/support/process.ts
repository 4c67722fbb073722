import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { root } from './root.ts'
import { TEST_KEY } from './secrets.ts'

export type Running = {
  readonly child: ChildProcess
  /** What it wrote so far. */
  stdout(): string
  stderr(): string
  /** Resolves with the first line of stdout that the function accepts; rejects when the process ends before. */
  line<T>(accept: (line: string) => T | undefined): Promise<T>
  /** Resolves with the exit code, or the signal that ended it. */
  ended: Promise<number | NodeJS.Signals>
  kill(signal: NodeJS.Signals): void
}

/** Nothing of where the tests run reaches it. */
export const ALONE = { DATABASE_URL: '', REDIS_URL: '', DRAIN_MS: '0', SECRETS_KEY: TEST_KEY }

/** Starts a built program of ours as a child process; killed when the test finishes. */
export function start(args: readonly string[], environment: Record<string, string> = {}, input?: string): Running {
  const child = spawn(process.execPath, [...args], {
    cwd: root,
    // biome-ignore lint/style/noProcessEnv: a child process inherits it
    env: { ...process.env, NODE_ENV: '', VITEST: '', ...ALONE, ...environment },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  child.stdin.end(input ?? '')
  return running(child)
}

/** What is heard of a child process; killed when the test finishes. */
export function running(child: ChildProcess): Running {
  let stdout = ''
  let stderr = ''
  const waiting: (() => void)[] = []
  const tell = () => {
    for (const look of [...waiting]) look()
  }
  child.stdout?.on('data', (chunk: Buffer) => {
    stdout += chunk
    tell()
  })
  child.stderr?.on('data', (chunk: Buffer) => {
    stderr += chunk
  })
  const ended = once(child, 'close').then(([code, signal]) => (code ?? signal) as number | NodeJS.Signals)
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
  })
  return {
    child,
    stdout: () => stdout,
    stderr: () => stderr,
    ended,
    line: (accept) =>
      new Promise((resolve, reject) => {
        const look = () => {
          for (const line of stdout.split('\n').slice(0, -1)) {
            const found = accept(line)
            if (found !== undefined) return resolve(found)
          }
        }
        waiting.push(look)
        ended.then((code) => reject(new Error(`ended with ${code}: ${stderr || stdout}`)))
        look()
      }),
    kill: (signal) => void child.kill(signal),
  }
}

/** A built module as a URL, for `--input-type=module -e`. */
export const built = (path: string) => join(root, 'dist', path)
