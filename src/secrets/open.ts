import { keyFileOf, keyFrom, makeKeyFile, readKeyFile, writeKeyFile } from './key-file.ts'
import type { SecretKey } from './sealing.ts'
import { KeyRing } from './secrets.ts'

/** Where the keys of a process come from. */
export type KeySource = {
  readonly ring: KeyRing
  /** For people: the variable, or the file. */
  readonly from: string
  /** Only of a file: makes it when it is missing, and changes it. */
  readonly file:
    | { make(key?: SecretKey): void; write(keys: readonly SecretKey[]): void; read(): SecretKey[] }
    | undefined
}

/** The keys of the environment, or else of the file beside DATA_DIR, which need not be there yet. Throws one line that names SECRETS_KEY. */
export function openKeys({ secretsKey, dataDir }: { secretsKey: string | undefined; dataDir: string }): KeySource {
  if (secretsKey !== undefined) {
    const keys = keysOf(secretsKey)
    return { ring: new KeyRing(() => keys), from: 'SECRETS_KEY', file: undefined }
  }
  const path = keyFileOf(dataDir)
  const ring = new KeyRing(() => readKeyFile(path))
  return {
    ring,
    from: path,
    file: {
      make(key) {
        makeKeyFile(path, key)
        ring.reread()
      },
      write(keys) {
        writeKeyFile(path, keys)
        ring.reread()
      },
      read: () => readKeyFile(path),
    },
  }
}

/** `SECRETS_KEY` as it is given: one key, or several with a comma between them, the one to use first. */
const keysOf = (text: string): SecretKey[] => text.split(',').flatMap((part) => keyFrom(part.trim()) ?? [])

/** The keys of a text with one a line. */
export const keysIn = (text: string): SecretKey[] => text.split('\n').flatMap((line) => keyFrom(line.trim()) ?? [])

/** Whether every part of it is a key. */
export const isKeys = (text: string): boolean => text.split(',').every((part) => keyFrom(part.trim()) !== undefined)
