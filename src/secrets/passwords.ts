import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { unavailable } from '../errors.ts'

const COST = { N: 32_768, r: 8, p: 1 }
const HASH_BYTES = 32
const MAX_MEMORY_BYTES = 67_108_864
/** Each takes 32 MiB and a processor, and a thread of the pool that files and names are read with. */
const MAX_RUNNING = 1
const MAX_WAITING = 20

let running = 0
const waiting: (() => void)[] = []

/** One at a time, so that a flood of passwords takes no processor from graphics on air. Throws unavailable. */
async function oneAtATime<T>(work: () => Promise<T>): Promise<T> {
  if (running >= MAX_RUNNING) {
    if (waiting.length >= MAX_WAITING) throw unavailable()
    await new Promise<void>((resolve) => waiting.push(resolve))
  } else running++
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    if (next) next()
    else running--
  }
}

const derive = (password: string, salt: Buffer, cost: typeof COST, bytes: number) =>
  oneAtATime(
    () =>
      new Promise<Buffer>((resolve, reject) => {
        const options = { ...cost, maxmem: MAX_MEMORY_BYTES }
        scrypt(password.normalize('NFKC'), salt, bytes, options, (error, hash) =>
          error ? reject(error) : resolve(hash),
        )
      }),
  )

/** `scrypt$N$r$p$salt$hash`, the last two in base64. Throws unavailable when too many passwords wait. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  const hash = await derive(password, salt, COST, HASH_BYTES)
  return ['scrypt', COST.N, COST.r, COST.p, salt.toString('base64'), hash.toString('base64')].join('$')
}

/** Whether the password is the one that `hashPassword` has hashed; takes as long when it is not. */
export async function isPassword(password: string, hashed: string): Promise<boolean> {
  const [kind, N, r, p, salt = '', hash = ''] = hashed.split('$')
  const expected = Buffer.from(hash, 'base64')
  // nothing at all would be equal to nothing
  if (kind !== 'scrypt' || expected.length !== HASH_BYTES) return false
  const cost = { N: Number(N), r: Number(r), p: Number(p) }
  const derived = await derive(password, Buffer.from(salt, 'base64'), cost, expected.length)
  return timingSafeEqual(derived, expected)
}

/** A password for a person without one: 20 letters and digits that look like no others, in groups of five; 98 bits. */
export function newPassword(): string {
  const letters = 'abcdefghjkmnpqrstuvwxyz23456789'
  const groups: string[] = []
  while (groups.length < 4) {
    const group = Array.from(randomBytes(64)).filter((byte) => byte < 248)
    groups.push(
      group
        .slice(0, 5)
        .map((byte) => letters[byte % letters.length])
        .join(''),
    )
  }
  return groups.join('-')
}
