import { addressesNow, type Resolve } from './connect-guard.ts'
import type { HlsShelf } from './hls-shelf.ts'
import { openPassage, type Passage, type PassageTo } from './passage.ts'
import { HOLDS_AT, rtmpPlace, streamUrl } from './pinned-url.ts'
import type { PullTarget, PushTarget, Relay, RelayEvent, RelaySpec } from './ports.ts'
import { startHls } from './relay-hls.ts'
import { NotStarted, type RelayProcessParts, startRelayProcess } from './relay-process.ts'
import { type PushCall, pushRtmp, pushSrt } from './relay-push.ts'
import { type SrtPullParts, startSrtPull } from './relay-srt-pull.ts'
import type { SocketStalls } from './socket-stalls.ts'

export type RelayParts = RelayProcessParts &
  SrtPullParts & {
    /** Whether an address may be connected to. */
    permits(address: string): boolean
    /** Instead of asking the system for the addresses of a name. */
    resolve?: Resolve
    /** Instead of one in this process. */
    openPassage?: ((to: PassageTo, lease: string) => Promise<Passage>) | undefined
    stalls: SocketStalls
    shelf: HlsShelf
  }

/**
 * Sends the video of `spec.readUrl` to the target, or lets others fetch it, until the relay is stopped or fails; a failed one has
 * ended and is not tried again here. Nothing is told before this returned.
 */
export function startRelay(spec: RelaySpec, listener: (event: RelayEvent) => void, parts: RelayParts): Relay {
  const { target } = spec
  if (!isPull(target)) return startPush(spec, target, listener, parts)
  return target.protocol === 'hls'
    ? startHls(spec, target, listener, parts)
    : startSrtPull(spec, target, listener, parts)
}

const isPull = (target: PushTarget | PullTarget): target is PullTarget => 'token' in target

function startPush(spec: RelaySpec, target: PushTarget, listener: (event: RelayEvent) => void, parts: RelayParts) {
  const text = target.url
  let passage: Passage | undefined
  const call = async (): Promise<PushCall> => {
    const found = await addressesNow(text, parts.permits, parts.resolve)
    if ('refused' in found) throw new NotStarted(found.refused)
    const url = streamUrl(text)
    if (!url) throw new NotStarted(HOLDS_AT)
    // each try begins with the next one, where one is down
    const from = (spec.attempt - 1) % found.addresses.length
    const addresses = [...found.addresses.slice(from), ...found.addresses.slice(0, from)]
    const [address] = addresses
    const place = rtmpPlace(url)
    if (!place) return pushSrt(url, address ?? { address: '' }, target)
    passage?.close()
    const to = { end: 'destination', addresses, ...place } as const
    passage = await (spec.lease !== undefined && parts.openPassage
      ? parts.openPassage(to, spec.lease)
      : openPassage(to))
    return pushRtmp(url, passage, parts.stalls.sees())
  }
  return startRelayProcess(spec, listener, parts, {
    async prepare() {
      const { args, url, secrets } = await call()
      return { args, url, secrets: [text, ...secrets] }
    },
    started: (stalled) => (passage ? parts.stalls.watch(passage.farPorts, stalled) : () => {}),
    fault: () => passage?.fault(),
    ended: async () => passage?.close(),
  })
}
