/** One WebSocket as the rest of the code sees it. Calls after close do nothing. */
export interface Socket {
  /** False when the frame was dropped because the buffer is full. */
  send(text: string): boolean
  subscribe(topic: string): void
  unsubscribe(topic: string): void
  /** Bytes waiting for a slow peer. */
  bufferedBytes(): number
  /** Sends a close frame, then closes. */
  end(code: number, reason: string): void
}

/** The events of one socket. */
export interface SocketEvents {
  open(socket: Socket): void
  message(text: string): void
  /** Called once, whichever side closed it. */
  closed(code: number): void
}

export type UpgradeRequest = {
  params: Readonly<Record<string, string>>
  query: URLSearchParams
  /** Empty when it was not sent. */
  authorization: string
  serviceApiKey: string
  userAgent: string
  remoteAddress: string
}

/** A path that upgrades. `accept` comes to undefined to answer 404; known at once, the socket is open before anybody waits. */
export type SocketEndpoint = {
  /** `/overlay/{key}/socket` */
  path: string
  accept(request: UpgradeRequest): SocketEvents | undefined | Promise<SocketEvents | undefined>
}

/** Sends one frame to every socket subscribed to the topic. */
export type Publish = (topic: string, text: string) => void
