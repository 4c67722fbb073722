import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto'

/** 256 bits, with the fingerprint by which sealed values name their key: 16 hexadecimal digits, no secret. */
export type SecretKey = { readonly id: string; readonly bytes: Buffer }

export const KEY_BYTES = 32
const SALT_BYTES = 16
const NONCE_BYTES = 12
const TAG_BYTES = 16
const FORMAT = 's1'

/** A key of these bytes. */
export function secretKey(bytes: Buffer): SecretKey {
  if (bytes.length !== KEY_BYTES) throw new Error(`a key has ${KEY_BYTES} bytes`)
  return { id: createHmac('sha256', bytes).update('tally secrets key id').digest('hex').slice(0, 16), bytes }
}

export const newSecretKey = (): SecretKey => secretKey(randomBytes(KEY_BYTES))

/** Each message has a key of its own, so that no number of messages wears a key out: random nonces alone would, at 2^32. */
const messageKey = ({ bytes }: SecretKey, salt: Buffer) =>
  createHmac('sha256', bytes).update('tally sealed message\0').update(salt).digest()

/**
 * AES-256-GCM of a text, as `s1:<key id>:<base64url of salt, nonce, ciphertext, tag>`. `place` says where it belongs, and it
 * opens nowhere else: `stream_input/secrets/5`.
 */
export function seal(key: SecretKey, place: string, plain: string): string {
  const head = randomBytes(SALT_BYTES + NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', messageKey(key, head.subarray(0, SALT_BYTES)), head.subarray(SALT_BYTES))
  cipher.setAAD(Buffer.from(`${FORMAT}:${key.id}:${place}`))
  const sealed = Buffer.concat([head, cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()])
  return `${FORMAT}:${key.id}:${sealed.toString('base64url')}`
}

/** Whether this was sealed, with any key: JSON never begins like that. */
export const isSealed = (text: string): boolean => text.startsWith(`${FORMAT}:`)

/** The fingerprint of the key that sealed this; undefined when it was not sealed. */
export const keyIdOf = (sealed: string): string | undefined => /^s1:([0-9a-f]{16}):/.exec(sealed)?.[1]

/** Throws for another key, another place, and anything that was changed. */
export function unseal(key: SecretKey, place: string, sealed: string): string {
  const bytes = Buffer.from(sealed.slice(sealed.lastIndexOf(':') + 1), 'base64url')
  if (keyIdOf(sealed) !== key.id || bytes.length < SALT_BYTES + NONCE_BYTES + TAG_BYTES) throw unreadable(place)
  const nonce = bytes.subarray(SALT_BYTES, SALT_BYTES + NONCE_BYTES)
  const decipher = createDecipheriv('aes-256-gcm', messageKey(key, bytes.subarray(0, SALT_BYTES)), nonce, {
    authTagLength: TAG_BYTES,
  })
  decipher.setAAD(Buffer.from(`${FORMAT}:${key.id}:${place}`))
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
  try {
    const body = bytes.subarray(SALT_BYTES + NONCE_BYTES, -TAG_BYTES)
    return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8')
  } catch {
    throw unreadable(place)
  }
}

const unreadable = (place: string) => new Error(`what is stored as ${place} was changed, or is of another place or key`)
