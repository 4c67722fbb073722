/**
 * The text of bytes that somebody saved: UTF-8, or UTF-16 where a byte order mark says so. Undefined when they are neither; the
 * mark is no part of the text.
 */
export function textOf(bytes: Uint8Array): string | undefined {
  const encoding =
    bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : 'utf-8'
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}
