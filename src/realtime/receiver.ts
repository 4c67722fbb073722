import type { Card } from './ports.ts'

/** A socket as its channel sees it. */
export interface Receiver {
  /** A picture inside a page of ours, which shows a rehearsal as if it were on air. */
  readonly isPicture?: boolean
  /** Which picture it is sent; left out: program. */
  readonly bus?: 'preview' | undefined
  send(text: string): void
  subscribe(topic: string): void
  /** The socket was sent all that READY asked for. */
  caughtUp?(): void
  /** Bytes that its line has not taken yet. */
  bufferedBytes(): number
  end(code: number, reason: string): void
  /** Whether the name that it came in by still is one of this overlay. */
  opens(card: Card): boolean
}
