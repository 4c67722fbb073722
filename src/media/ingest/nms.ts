import type { EventEmitter } from 'node:events'
import { createRequire } from 'node:module'
import type { Socket } from 'node:net'

/** The used part of node-media-server's session of one RTMP connection. */
export type NmsSession = {
  readonly id: string
  /** `address:port`; the server takes a publisher with the same address for the one that was there before. */
  ip: string
  readonly inBytes: number
  readonly isPublisher: boolean
  readonly broadcast: NmsBroadcast
  readonly rtmp: NmsProtocol
  onData: (data: Buffer) => void
  onPacket: (packet: NmsPacket) => void
  onClose: () => void
  run(): void
  close(): void
}

/** Its half of the protocol. A method assigned on an instance hides that of the class. */
export type NmsProtocol = {
  streamApp: string
  /** After so many bytes the sender wants to hear how many have come; undefined when it does not say. */
  readonly ackSize?: number
  readonly inPackets: ReadonlyMap<number, unknown>
  readonly parserPacket: { readonly header: { readonly length: number; readonly stream_id: number } }
  onPacketCallback: (packet: NmsPacket) => void
  onPublish(message: NmsCommand): void
  onPlay(message: NmsCommand): void
  onDeleteStream(message: NmsCommand): void
  packetAlloc(): void
  sendACK(bytes: number): void
  sendStatusMessage(streamId: number, level: string, code: string, description: string): void
}

/** A piece of media. `dts` in ms. */
export type NmsPacket = { readonly codec_type: number; readonly dts: number }

/** A command of the far end, unchecked. */
export type NmsCommand = { readonly streamName?: unknown }

/** One path: its publisher and its readers. */
export type NmsBroadcast = {
  readonly publisher: NmsSession | null
  readonly subscribers: ReadonlyMap<string, NmsSession & { readonly socket: Socket }>
  publishGraceMs: number
  /** By kind of track (8 audio, 9 video), in ms: where the timeline is, and the offset added to that of a sender that came back. */
  readonly _lastDts: Readonly<Record<number, number>>
  _dtsOffset: Record<number, number>
  getPublishStatus(): 'publishing' | 'reconnecting' | 'idle'
  /** The publisher's connection is gone: its place is kept for the grace. */
  donePublish(session: NmsSession): void
  /** Ends the publishing for good, grace or not. */
  _finishPublish(): void
}

export type Nms = {
  RtmpSession: new (socket: Socket) => NmsSession
  context: {
    config: { auth?: { publish: boolean; play: boolean; secret: string } }
    readonly broadcasts: ReadonlyMap<string, NmsBroadcast>
    readonly sessions: Map<string, NmsSession>
    readonly eventEmitter: EventEmitter
  }
  logger: { level: string }
}

/**
 * The RTMP half of node-media-server without its HTTP server, recordings, relays and store: none of them is wanted, and its own
 * listener ends the process when a port is taken. It comes without types, so this is the one place that claims its exports.
 */
export function loadNms(): Nms {
  const load = createRequire(import.meta.url)
  return {
    RtmpSession: load('node-media-server/src/session/rtmp_session.js'),
    context: load('node-media-server/src/core/context.js'),
    logger: load('node-media-server/src/core/logger.js'),
  }
}
