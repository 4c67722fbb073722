import { type FileHandle, open } from 'node:fs/promises'
import { CHUNK, isAge, newAge, openAge, type Payload } from './age.ts'

const TAG = 16
const HEAD_BYTES = 512

/** The plain bytes of a file, wherever asked for. */
export type PlainFile = {
  readonly sealed: boolean
  /** Exactly these bytes. Throws when it ends before, or was changed. */
  read(offset: number, size: number): Promise<Buffer>
  close(): Promise<void>
}

/** Opens a file that may be sealed. Throws one line when it is and there is no passphrase, or the wrong one. */
export async function openPlain(path: string, passphrase?: string): Promise<PlainFile> {
  const file = await open(path, 'r')
  try {
    const head = Buffer.alloc(HEAD_BYTES)
    const { bytesRead } = await file.read(head, 0, HEAD_BYTES, 0)
    if (!isAge(head))
      return { sealed: false, read: (offset, size) => readAt(file, offset, size), close: () => file.close() }
    if (passphrase === undefined) throw new Error(`${path} is encrypted: give its passphrase with --passphrase-stdin`)
    const payload = await openAge(head.subarray(0, bytesRead), passphrase).catch((error: Error) => {
      throw new Error(`${path} cannot be opened: ${error.message}`)
    })
    const { size } = await file.stat()
    const read = await readSealed(file, payload, size).catch((error: Error) => {
      throw new Error(`${path} cannot be opened: ${error.message}`)
    })
    return { sealed: true, read, close: () => file.close() }
  } catch (error) {
    await file.close()
    throw error
  }
}

/** Reads chunk by chunk; the last one opened is held, since reads lie side by side. */
async function readSealed(file: FileHandle, payload: Payload, fileSize: number): Promise<PlainFile['read']> {
  const bytes = fileSize - payload.start
  const chunks = Math.max(1, Math.ceil(bytes / (CHUNK + TAG)))
  let held: { index: number; plain: Buffer } | undefined
  const chunk = async (index: number): Promise<Buffer> => {
    if (held?.index === index) return held.plain
    if (index >= chunks) throw new Error('cut off')
    const at = index * (CHUNK + TAG)
    const sealed = await readAt(file, payload.start + at, Math.min(CHUNK + TAG, bytes - at))
    held = { index, plain: payload.open(index, sealed, index === chunks - 1) }
    return held.plain
  }
  // only the last one says that it is, and so where the file ends
  await chunk(chunks - 1)
  return async (offset, size) => {
    const parts: Buffer[] = []
    for (let at = offset; at < offset + size; ) {
      const index = Math.floor(at / CHUNK)
      const from = at - index * CHUNK
      const part = (await chunk(index)).subarray(from, from + offset + size - at)
      if (part.length === 0) throw new Error('cut off')
      parts.push(part)
      at += part.length
    }
    return Buffer.concat(parts, size)
  }
}

/** Exactly these bytes of a file. Throws when it ends before. */
async function readAt(file: FileHandle, offset: number, size: number): Promise<Buffer> {
  const bytes = Buffer.alloc(size)
  let done = 0
  while (done < size) {
    const { bytesRead } = await file.read(bytes, done, size - done, offset + done)
    if (bytesRead === 0) throw new Error('cut off')
    done += bytesRead
  }
  return bytes
}

/** Takes the bytes of a file in their order. */
export type Sink = {
  write(bytes: Buffer): Promise<void>
  /** The last bytes; answers how many the file has. */
  end(): Promise<number>
}

/** Writes to a file, sealed when there is a passphrase. */
export async function openSink(file: FileHandle, passphrase?: string, workFactor?: number): Promise<Sink> {
  let size = 0
  const put = async (bytes: Buffer) => {
    await file.writeFile(bytes)
    size += bytes.length
  }
  if (passphrase === undefined) return { write: put, end: async () => size }
  const { header, payload } = await newAge(passphrase, workFactor)
  await put(header)
  let index = 0
  let waiting = Buffer.alloc(0)
  return {
    async write(bytes) {
      waiting = Buffer.concat([waiting, bytes])
      const sealed: Buffer[] = []
      // the last chunk is not known before the end, and is empty only of an empty file
      let from = 0
      for (; waiting.length - from > CHUNK; from += CHUNK)
        sealed.push(payload.seal(index++, waiting.subarray(from, from + CHUNK), false))
      waiting = waiting.subarray(from)
      if (sealed.length > 0) await put(Buffer.concat(sealed))
    },
    async end() {
      await put(payload.seal(index, waiting, true))
      return size
    },
  }
}
