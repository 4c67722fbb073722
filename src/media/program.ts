import { fileURLToPath } from 'node:url'
import { createMeter } from './meter.ts'
import type { StartProgram } from './ports.ts'
import type { Processes } from './process.ts'
import type { FromProgram, ProgramTools, ToProgram } from './program/messages.ts'
import type { Usage } from './program/usage.ts'
import { secretsOf } from './redact.ts'

// a test runs the sources, but a process needs the built file
const MODULE = new URL(
  import.meta.url.endsWith('.ts') ? '../../dist/src/media/program/child.js' : './program/child.js',
  import.meta.url,
)

/** Programs with burned-in graphics, each in a process of its own with an encoder and a browser. */
export const programs =
  (processes: Processes, findTools: () => Promise<ProgramTools>): StartProgram =>
  (spec, listener) => {
    const meter = createMeter()
    let usage: Usage = { cpuPercent: null, rssBytes: null }
    let failed = false
    const child = processes.start({
      kind: 'program',
      of: spec.streamId,
      lease: spec.lease,
      command: process.execPath,
      args: [fileURLToPath(MODULE)],
      secrets: secretsOf([spec.readUrl, spec.publishUrl, spec.pageUrl]),
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    })
    const send = (message: ToProgram) => {
      if (child.process.connected) child.process.send(message, () => {})
    }
    const fail = (error: string) => {
      if (!failed) listener({ type: 'failed', error })
      failed = true
    }

    child.process.on('message', (message: FromProgram) => {
      switch (message.type) {
        case 'written':
          return meter.sample(message.bytes, Date.now())
        case 'usage':
          usage = { cpuPercent: message.cpuPercent, rssBytes: message.rssBytes }
          return
        case 'failed':
          return fail(message.error)
        default:
          if (!failed) listener(message)
      }
    })
    void child.ended.then(({ asked, error }) => asked || fail(`The program ended: ${error}`))
    const started = findTools().then(
      (tools) => send({ type: 'start', spec, tools }),
      () => void child.kill(),
    )
    const tell = (message: ToProgram) => void started.then(() => send(message))

    return {
      setHidden: (hidden) => tell({ type: 'hidden', hidden }),
      setPage: (url) => tell({ type: 'page', url }),
      measured: () => ({ ...meter.measured(Date.now()), ...usage }),
      async stop() {
        await child.stop()
      },
    }
  }
