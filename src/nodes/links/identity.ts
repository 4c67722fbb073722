import { constants } from 'node:crypto'
import type { SecureVersion } from 'node:tls'

/** What is said over a link; another number does not talk to this one. */
const PROTOCOL = 'tally-link/1'

/** Who a side of a link says it is. Only who knows the secret can say it: the handshake fails otherwise. */
export type Identity = { readonly service: string; readonly id: string }

// TLS allows 128 bytes for an identity and for a hint
const NAME = /^[\w.:-]{1,50}$/

/** As it stands in the handshake, where it is seen by whoever looks on. */
export function identityText({ service, id }: Identity): string {
  if (!NAME.test(service) || !NAME.test(id)) throw new Error(`no identity of a link: ${service} ${id}`)
  return `${PROTOCOL} ${service} ${id}`
}

/** Undefined when it is of no node that can be talked to. */
export function parseIdentity(text: string): Identity | undefined {
  const [protocol, service = '', id = '', ...more] = text.split(' ')
  if (protocol !== PROTOCOL || more.length > 0 || !NAME.test(service) || !NAME.test(id)) return undefined
  return { service, id }
}

/**
 * One suite on both sides: without the secret there is no handshake, and who learns it later cannot read what was recorded.
 * Nothing is resumed, so that every link shows anew that it knows the secret.
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
/** How long a stranger has to show that it knows the secret, and a link to open. */
export const HANDSHAKE_MS = 2_000
