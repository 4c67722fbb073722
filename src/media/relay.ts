import { addressesNow } from './connect-guard.ts'
import type { HlsShelf } from './hls-shelf.ts'
import type { PullTarget, PushTarget, Relay, RelayEvent, RelaySpec } from './ports.ts'
import { startHls } from './relay-hls.ts'
import { NotStarted, type RelayProcessParts, startRelayProcess } from './relay-process.ts'
import { pushCall } from './relay-push.ts'
import { type SrtPullParts, startSrtPull } from './relay-srt-pull.ts'
import type { SocketStalls } from './socket-stalls.ts'

export type RelayParts = RelayProcessParts &
  SrtPullParts & {
    /** Whether an address may be connected to. */
    permits(address: string): boolean
    stalls: SocketStalls
    shelf: HlsShelf
  }

/**
 * Sends what is read at `spec.readUrl` to the target, or lets others fetch it, until it is stopped or fails; a failed one has
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
  let tcpPort: number | null = null
  return startRelayProcess(spec, listener, parts, {
    async prepare() {
      const found = await addressesNow(target.url, parts.permits)
      if ('refused' in found) throw new NotStarted(found.refused)
      // each try takes the next one, where one is down
      const { address } = found.addresses[(spec.attempt - 1) % found.addresses.length] ?? { address: '' }
      const call = pushCall(target, address, parts.stalls.sees())
      tcpPort = call.tcpPort
      return { args: call.args, url: call.url, secrets: [target.url, ...call.secrets] }
    },
    started: (pid, stalled) => (tcpPort === null ? () => {} : parts.stalls.watch(pid, tcpPort, stalled)),
  })
}
