import type { ListenerLog } from '../store/listeners.ts'
import type { Bus } from './bus.ts'
import { createTopics } from './topics.ts'

/** Buses of several nodes inside one process. Each opened one hears all. */
export function createLocalWire(log?: ListenerLog): { open(): Bus } {
  const tells = new Set<(topic: string, text: string) => void>()
  return {
    open() {
      const topics = createTopics(log, { first: () => {}, last: () => {} })
      let isOpen = true
      tells.add(topics.tell)
      return {
        publish(topic, text) {
          if (!isOpen) return
          // as by a wire: no listener runs inside the call
          const hearing = [...tells]
          setImmediate(() => {
            for (const tell of hearing) tell(topic, text)
          })
        },
        subscribe: topics.add,
        isUp: () => isOpen,
        onUp: () => {},
        onDown: () => {},
        async close() {
          isOpen = false
          tells.delete(topics.tell)
          topics.clear()
        },
      }
    },
  }
}
