import { tellEach } from '../store/listeners.ts'

type Listen = (text: string) => void
type Log = Parameters<typeof tellEach>[2]

/** The listeners of each topic of a bus. `first` and `last`: a topic has its first listener, or has lost its last one. */
export function createTopics(log: Log, on: { first(topic: string): void; last(topic: string): void }) {
  const topics = new Map<string, Listen[]>()
  return {
    names: (): string[] => [...topics.keys()],
    add(topic: string, onText: Listen): () => void {
      // one object per subscription: the same function may listen twice
      const listen: Listen = (text) => onText(text)
      const listening = topics.get(topic)
      topics.set(topic, [...(listening ?? []), listen])
      if (!listening) on.first(topic)
      return () => {
        const left = (topics.get(topic) ?? []).filter((one) => one !== listen)
        if (left.length === topics.get(topic)?.length || !topics.has(topic)) return
        if (left.length > 0) topics.set(topic, left)
        else if (topics.delete(topic)) on.last(topic)
      }
    },
    tell(topic: string, text: string): void {
      tellEach(topics.get(topic) ?? [], (listen) => listen(text), log)
    },
    clear: () => topics.clear(),
  }
}
