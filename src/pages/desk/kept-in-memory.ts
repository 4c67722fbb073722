import type { Desk } from './model.ts'
import type { PressStore } from './outbox.ts'
import type { Press } from './press.ts'

/** What the page knows without a line: the desk as it was read last, and how far the server's clock is ahead. */
export type Memory = { desk?: Desk; offsetMs?: number }

export type Kept = {
  presses: PressStore
  memory: { read(): Promise<Memory>; write(memory: Memory): Promise<void> }
  /** False where the browser keeps nothing: what waits is lost with the page. */
  durable: boolean
}

/** As long as the page is open; also for tests. */
export function inMemory(): Kept {
  const presses = new Map<string, Press>()
  let memory: Memory = {}
  return {
    durable: false,
    presses: {
      all: async () => [...presses.values()].sort((one, other) => one.order - other.order),
      put: async (press) => void presses.set(press.id, press),
      remove: async (id) => void presses.delete(id),
    },
    memory: {
      read: async () => memory,
      write: async (next) => {
        memory = next
      },
    },
  }
}
