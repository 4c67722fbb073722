import type { EngineEvent } from '../ports.ts'
import { type MediaLog, openProcesses } from '../process.ts'
import { Ingest } from './ingest.ts'
import type { Call, Calls, FromChild } from './messages.ts'

// the ingest in a process of its own: a crash or a flood here stops no graphics

/** Scanners try keys all day; people are told of so many in a second. */
const REFUSALS_PER_SECOND = 5

const send = (message: FromChild) => {
  if (process.connected) process.send?.(message)
}

/** Whether this is one of so many in this second. */
const sparing = (most: number) => {
  let told = { second: 0, count: 0 }
  return () => {
    const second = Math.floor(Date.now() / 1000)
    if (told.second !== second) told = { second, count: 0 }
    return ++told.count <= most
  }
}
const mayTellRefusal = sparing(REFUSALS_PER_SECOND)
const mayTellFailure = sparing(1)
const tell = (event: EngineEvent) => {
  if (event.type !== 'refused' || mayTellRefusal()) send({ event })
}

/** The process of a connection ends with it, which is told as an event. */
const isUsual = (fields: object) =>
  ('code' in fields && fields.code === 0) || ('name' in fields && String(fields.name).startsWith('srt-out'))

const log: MediaLog = {
  debug: (fields, message) => send({ log: 'debug', fields, message }),
  info: (fields, message) => send({ log: 'info', fields, message }),
  warn: (fields, message) => send({ log: isUsual(fields) ? 'debug' : 'warn', fields, message }),
}

const failed = (error: unknown) => {
  if (mayTellFailure()) log.warn({ error: String(error) }, 'what a stranger sent could not be handled')
}
const readers = (token: string, count: number) => send({ readers: token, count })

let ingest: Ingest | undefined

async function answer(call: Call): Promise<Calls[keyof Calls]['answer']> {
  if (call.call === 'start') {
    const processes = await openProcesses(call.with.pidFolder, log)
    ingest = new Ingest(call.with, { processes, tell, readers, failed })
    return await ingest.start()
  }
  if (!ingest) throw new Error('not started')
  if (call.call === 'allow') return ingest.allow(call.with)
  if (call.call === 'revoke') return ingest.revoke(call.with)
  if (call.call === 'serve') return ingest.serve(call.with)
  if (call.call === 'unserve') return ingest.unserve(call.with)
  return ingest.stats(call.with)
}

const end = async () => {
  await ingest?.close()
  process.exit(0)
}

process.on('message', (call: Call) => {
  answer(call).then(
    (value) => send({ answer: call.id, value }),
    (error: Error) => send({ answer: call.id, error: error.message }),
  )
})
// the server that started this process is gone
process.on('disconnect', end)
process.on('SIGTERM', end)
