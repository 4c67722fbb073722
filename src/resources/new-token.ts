import { randomBytes } from 'node:crypto'

/** An unguessable token of 32 bytes, for the address of a page. */
export const newToken = () => randomBytes(32).toString('base64url')
