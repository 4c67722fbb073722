import { constants } from 'node:crypto'
import type { SecureVersion } from 'node:tls'

/** The version of the protocol of links; nodes with different numbers do not talk. */
const PROTOCOL = 'tally-link/1'

/** The identity that a side of a link claims. The handshake fails for a claim made without the secret. */
export type Identity = { readonly service: string; readonly id: string }

// TLS allows 128 bytes for an identity and for a hint
const NAME = /^[\w.:-]{1,50}$/

/** The identity as text in the handshake, which is not encrypted there. */
export function identityText({ service, id }: Identity): string {
  if (!NAME.test(service) || !NAME.test(id)) throw new Error(`no identity of a link: ${service} ${id}`)
  return `${PROTOCOL} ${service} ${id}`
}

/** Undefined when the text is the identity of no node that can be talked to. */
export function parseIdentity(text: string): Identity | undefined {
  const [protocol, service = '', id = '', ...more] = text.split(' ')
  if (protocol !== PROTOCOL || more.length > 0 || !NAME.test(service) || !NAME.test(id)) return undefined
  return { service, id }
}

/**
 * One suite on both sides: without the secret there is no handshake, and a secret that leaks later opens no recorded traffic.
 * No session is resumed, so that every link shows anew that it knows the secret.
 */
export const tlsOptions = {
  ciphers: 'ECDHE-PSK-CHACHA20-POLY1305',
  ecdhCurve: 'X25519:P-256',
  // the callbacks for a shared key are those of 1.2, where the other side names itself before the key is chosen
  minVersion: 'TLSv1.2' satisfies SecureVersion,
  maxVersion: 'TLSv1.2' satisfies SecureVersion,
  secureOptions: constants.SSL_OP_NO_TICKET | constants.SSL_OP_NO_RENEGOTIATION,
} as const

/** Ends a connection that says nothing for so long. */
export const SILENCE_MS = 3_000
/** How long a stranger has to show that it knows the secret, and how long a link may take to open. */
export const HANDSHAKE_MS = 2_000
