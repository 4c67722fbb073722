const REASONS: readonly (readonly [RegExp, (end: string) => string])[] = [
  [/Failed to resolve hostname/, (end) => `The host name of the ${end} is unknown`],
  [/Connection refused/, (end) => `The ${end} refused the connection`],
  [/No route to host|Network is unreachable/, (end) => `The ${end} cannot be reached`],
  [/timed out|Operation timeout/i, (end) => `The ${end} did not answer in time`],
  [/^\[srt .*(rejected|failed: )/m, (end) => `The ${end} did not accept the SRT connection`],
  [/handshake failed|TLS.*error|tls_handshake/i, (end) => `The ${end} speaks no TLS, or none that is understood here`],
]

/** Why a connection failed, for people, from the lines of ffmpeg; undefined when they tell nothing. */
export function connectionFault(said: string, end: 'destination' | 'source'): string | undefined {
  const refusal = /Server error: (.+)/.exec(said)?.[1]
  if (refusal) return `The ${end} refused: ${refusal}`
  return REASONS.find(([pattern]) => pattern.test(said))?.[1](end)
}
