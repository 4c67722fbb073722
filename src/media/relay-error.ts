/** What ffmpeg calls the two ends of a relay in its messages, see `called` of a child. */
export const SOURCE = 'the source'
export const DESTINATION = 'the destination'

const REASONS: readonly (readonly [RegExp, string])[] = [
  [/^the source: /m, 'There was no video to send'],
  [/Failed to resolve hostname/, 'The host name of the destination is unknown'],
  [/Connection refused/, 'The destination refused the connection'],
  [/No route to host|Network is unreachable/, 'The destination cannot be reached'],
  [/timed out|Operation timeout/i, 'The destination did not answer in time'],
  [/^\[srt .*(rejected|failed: )/m, 'The destination did not accept the SRT connection'],
  [/handshake failed|TLS.*error|tls_handshake/i, 'The destination speaks no TLS, or none that is understood here'],
  [/No space left on device/, 'The disk of this server is full'],
]

/** Why a relay ended, for people, from what ffmpeg said last. `connected`: whether the far end had taken video before. */
export function relayError(lines: readonly string[], connected: boolean): string {
  const said = lines.join('\n')
  const refusal = /Server error: (.+)/.exec(said)?.[1]
  if (refusal) return `The destination refused: ${refusal}`
  const known = REASONS.find(([pattern]) => pattern.test(said))
  if (known) return known[1]
  if (/Broken pipe|reset by peer|End of file|Input\/output error|the destination: /.test(said) || lines.length === 0)
    return connected
      ? 'The destination closed the connection'
      : 'The destination closed the connection before it took any video; check its stream key'
  return `The connection ended: ${lines.at(-1)}`
}
