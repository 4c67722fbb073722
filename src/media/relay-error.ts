import { connectionFault } from './connection-fault.ts'

/** The words for the two ends of a relay in messages of ffmpeg, see `called` of a child. */
export const SOURCE = 'the source'
export const DESTINATION = 'the destination'

/** Why a relay ended, for people, from the last lines of ffmpeg. `connected`: whether the far end had taken video before. */
export function relayError(lines: readonly string[], connected: boolean): string {
  const said = lines.join('\n')
  if (/^the source: /m.test(said)) return 'There was no video to send'
  const known = connectionFault(said, 'destination')
  if (known) return known
  if (/No space left on device/.test(said)) return 'The disk of this server is full'
  if (/Broken pipe|reset by peer|End of file|Input\/output error|the destination: /.test(said) || lines.length === 0)
    return connected
      ? 'The destination closed the connection'
      : 'The destination closed the connection before it took any video; check its stream key'
  return `The connection ended: ${lines.at(-1)}`
}
