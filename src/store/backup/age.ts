import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdfSync,
  randomBytes,
  scrypt as scryptWithCallback,
  timingSafeEqual,
} from 'node:crypto'

/*
 * age v1 with a passphrase (https://age-encryption.org/v1, C2SP/age.md), so that `age -d backup.age > backup.tar` opens a
 * backup without us. By hand, since a restore reads here and there in an archive of gigabytes, which no library for age offers.
 */

const INTRODUCTION = 'age-encryption.org/v1\n'
const LABEL = 'age-encryption.org/v1/scrypt'
/** Bytes of plain text in a chunk; each is followed by 16 of its tag. */
export const CHUNK = 65_536
const TAG = 16
/** 2^18: a second and 256 MB for each guess. */
const WORK_FACTOR = 18
/** More would be an attack on the operator that restores. */
const MOST_WORK = 22
const CIPHER = 'chacha20-poly1305'

/** Opens and seals the chunks of one file. */
export type Payload = {
  /** Of the file, where the chunks begin. */
  readonly start: number
  seal(index: number, plain: Buffer, last: boolean): Buffer
  /** Throws when it was changed, moved, or cut off. */
  open(index: number, sealed: Buffer, last: boolean): Buffer
}

export const isAge = (head: Buffer) => head.subarray(0, INTRODUCTION.length).toString('latin1') === INTRODUCTION

/** The header of a new file, and the cipher of its chunks. */
export async function newAge(
  passphrase: string,
  workFactor = WORK_FACTOR,
): Promise<{ header: Buffer; payload: Payload }> {
  const fileKey = randomBytes(16)
  const salt = randomBytes(16)
  const wrapping = await wrappingKey(passphrase, salt, workFactor)
  const wrapped = sealed(wrapping, Buffer.alloc(12), fileKey)
  const unsigned = `${INTRODUCTION}-> scrypt ${base64(salt)} ${workFactor}\n${base64(wrapped)}\n---`
  const nonce = randomBytes(16)
  const header = Buffer.concat([Buffer.from(`${unsigned} ${base64(macOf(fileKey, unsigned))}\n`), nonce])
  return { header, payload: payloadOf(fileKey, nonce, header.length) }
}

const HEADER =
  /^age-encryption\.org\/v1\n-> scrypt ([A-Za-z0-9+/]{22}) ([1-9]\d?)\n([A-Za-z0-9+/]{43})\n--- ([A-Za-z0-9+/]{43})\n/

/** Opens the header; `head` are the first bytes of a file, 512 or all. Throws one line for a wrong passphrase, and for a file not sealed with one. */
export async function openAge(head: Buffer, passphrase: string): Promise<Payload> {
  const found = HEADER.exec(head.toString('latin1'))
  if (!found) throw new Error('it is not sealed with a passphrase')
  const [text, salt = '', work = '', wrapped = '', mac = ''] = found
  if (Number(work) > MOST_WORK) throw new Error('its passphrase takes more work than any backup of ours')
  const wrapping = await wrappingKey(passphrase, Buffer.from(salt, 'base64'), Number(work))
  const fileKey = opened(wrapping, Buffer.alloc(12), Buffer.from(wrapped, 'base64'))
  if (!fileKey) throw new Error('the passphrase is wrong')
  const expected = macOf(fileKey, text.slice(0, text.lastIndexOf('---') + 3))
  if (!timingSafeEqual(expected, Buffer.from(mac, 'base64'))) throw new Error('its header is damaged')
  const nonce = head.subarray(text.length, text.length + 16)
  if (nonce.length < 16) throw new Error('cut off')
  return payloadOf(fileKey, nonce, text.length + 16)
}

function payloadOf(fileKey: Buffer, nonce: Buffer, start: number): Payload {
  const key = Buffer.from(hkdfSync('sha256', fileKey, nonce, 'payload', 32))
  const nonceOf = (index: number, last: boolean) => {
    const bytes = Buffer.alloc(12)
    bytes.writeUIntBE(index, 5, 6)
    bytes[11] = last ? 1 : 0
    return bytes
  }
  return {
    start,
    seal: (index, plain, last) => sealed(key, nonceOf(index, last), plain),
    open(index, bytes, last) {
      const plain = opened(key, nonceOf(index, last), bytes)
      if (!plain) throw new Error('damaged')
      return plain
    },
  }
}

function sealed(key: Buffer, nonce: Buffer, plain: Buffer): Buffer {
  const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG })
  return Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()])
}

function opened(key: Buffer, nonce: Buffer, bytes: Buffer): Buffer | undefined {
  if (bytes.length < TAG) return undefined
  const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG })
  decipher.setAuthTag(bytes.subarray(-TAG))
  try {
    return Buffer.concat([decipher.update(bytes.subarray(0, -TAG)), decipher.final()])
  } catch {
    return undefined
  }
}

const wrappingKey = (passphrase: string, salt: Buffer, workFactor: number) =>
  new Promise<Buffer>((resolve, reject) => {
    const N = 2 ** workFactor
    const options = { N, r: 8, p: 1, maxmem: 128 * 8 * N + 1_048_576 }
    const salted = Buffer.concat([Buffer.from(LABEL), salt])
    scryptWithCallback(passphrase, salted, 32, options, (error, key) => (error ? reject(error) : resolve(key)))
  })

const macOf = (fileKey: Buffer, header: string) =>
  createHmac('sha256', Buffer.from(hkdfSync('sha256', fileKey, '', 'header', 32)))
    .update(header)
    .digest()

const base64 = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')
