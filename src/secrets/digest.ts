import { createHash } from 'node:crypto'

/**
 * The stored form of a secret that is only to be recognized: SHA-256 in hexadecimal. Enough for a secret drawn from 128 random
 * bits or more; passwords, which people choose, are hashed slowly, with salt, in `passwords.ts`.
 */
export const digestOf = (secret: string): string => createHash('sha256').update(secret).digest('hex')
