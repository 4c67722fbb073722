/**
 * Carries texts between nodes, by topic. The bus only makes things fast: a text that it loses is made good by the repair, so it neither keeps
 * nor repeats any. Its adapters pass the contract in test/contract/bus.ts.
 */
export interface Bus {
  /** To every node that subscribed, this one too. Never throws and never waits; while the bus is down the text is dropped. */
  publish(topic: string, text: string): void
  /** The texts of a topic, each publisher's in its order. Answers a function that ends the subscription. */
  subscribe(topic: string, onText: (text: string) => void): () => void
  /** Whether a text that is published now will probably arrive, and those of others are heard. */
  isUp(): boolean
  /** Runs each time the bus is up with every topic subscribed: texts before it are lost. */
  onUp(run: () => void): void
  /** Runs each time the bus is found to be down: texts of the last moments may be lost. */
  onDown(run: () => void): void
  /** Texts published before it still leave, where the bus is up. */
  close(): Promise<void>
}
