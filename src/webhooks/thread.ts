import { parentPort, workerData } from 'node:worker_threads'
import { isPublicAddress } from '../store/addresses.ts'
import { anyAddress, guarded } from '../store/outbound.ts'
import { type Attempt, createSender, type Message } from './attempt.ts'
import type { Endpoint } from './registry.ts'

/** Whether addresses of private networks may be connected to. */
export type ThreadSetup = { isPrivateAllowed: boolean }

/** Attempts that were asked for in one turn of the loop; of many endpoints that want one event its message is there once. */
export type Sends = {
  readonly messages: readonly Message[]
  readonly sends: readonly { readonly nth: number; readonly endpoint: Endpoint; readonly message: number }[]
}
/** How attempts went that ended in one turn of the loop, by their number. */
export type Ended = readonly (readonly [nth: number, attempt: Attempt])[]

const { isPrivateAllowed }: ThreadSetup = workerData
const sender = createSender(guarded({ permits: isPrivateAllowed ? anyAddress : isPublicAddress }))
let ended: (readonly [number, Attempt])[] = []

const note = (nth: number, attempt: Attempt) => {
  if (ended.length === 0) setImmediate(tell)
  ended.push([nth, attempt])
}

const tell = () => {
  parentPort?.postMessage(ended satisfies Ended)
  ended = []
}

parentPort?.on('message', ({ messages, sends }: Sends) => {
  for (const { nth, endpoint, message } of sends) {
    const sent = messages[message]
    if (sent) void sender.send(endpoint, sent).then((attempt) => note(nth, attempt))
  }
})
