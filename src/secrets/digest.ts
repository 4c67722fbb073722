import { createHash } from 'node:crypto'

/**
 * What is stored of a secret that is only to be recognized: SHA-256 in hexadecimal. Enough for what is drawn from 128 random
 * bits or more; what people choose (passwords) is hashed slowly, with salt, in `passwords.ts`.
 */
export const digestOf = (secret: string): string => createHash('sha256').update(secret).digest('hex')
