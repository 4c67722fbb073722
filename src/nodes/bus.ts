/**
 * Carries texts between nodes, by topic. It only makes things fast: whatever it loses, the repair makes good, so it neither keeps
 * nor repeats anything. Its adapters pass the contract in test/contract/bus.ts.
 */
export interface Bus {
  /** To every node that subscribed, this one too. Never throws and never waits; while the bus is down the text is dropped. */
  publish(topic: string, text: string): void
  /** The texts of a topic, each publisher's in its order. Answers a function that ends it. */
  subscribe(topic: string, onText: (text: string) => void): () => void
  /** Whether what is published now will probably arrive, and what others publish is heard. */
  isUp(): boolean
  /** Runs each time the bus is up with every topic subscribed: texts before it are lost. */
  onUp(run: () => void): void
  /** Runs each time the bus is found to be down: texts of the last moments may be lost. */
  onDown(run: () => void): void
  /** Texts published before it still leave, where the bus is up. */
  close(): Promise<void>
}
