import {
  closeSync,
  fchmodSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { newSecretKey, type SecretKey, secretKey } from './sealing.ts'

const WRITTEN = /^([0-9a-f]{64}|[\w+/-]{43}=?)$/i

/** A key as it is written: 64 hexadecimal digits, or base64 of 32 bytes. Undefined when it is none. */
export function keyFrom(text: string): SecretKey | undefined {
  if (!WRITTEN.test(text)) return undefined
  return secretKey(Buffer.from(text, text.length === 64 ? 'hex' : 'base64url'))
}

/** Beside the folder and not in it: a copy of DATA_DIR alone tells no secret. */
export const keyFileOf = (dataDir: string) => `${dataDir.replace(/\/+$/, '')}.secrets-key`

const HEAD =
  '# The keys of the secrets in the database, the one in use first. Without them those are lost: keep a copy apart.'
const text = (keys: readonly SecretKey[]) => [HEAD, ...keys.map(({ bytes }) => bytes.toString('base64')), ''].join('\n')

/** The keys of a file, none when there is no file. Throws one line that names SECRETS_KEY when it is damaged, or others may read it. */
export function readKeyFile(path: string): SecretKey[] {
  const state = statSync(path, { throwIfNoEntry: false })
  if (!state) return []
  if (process.platform !== 'win32' && (state.mode & 0o077) !== 0)
    throw new Error(`SECRETS_KEY: others may read ${path}: chmod 600 it`)
  const lines = read(path)
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
  const keys = lines.map((line) => keyFrom(line.trim()))
  if (keys.length === 0 || keys.includes(undefined))
    throw new Error(`SECRETS_KEY: ${path} is damaged: put back a copy of it`)
  return keys.filter((key) => key !== undefined)
}

const read = (path: string) => {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new Error(`SECRETS_KEY: cannot read ${path}: ${messageOf(error)}`)
  }
}

/** Makes the file with one new key, durable when it returns, or takes the one that somebody else made meanwhile. */
export function makeKeyFile(path: string, key = newSecretKey()): SecretKey[] {
  const partial = `${path}.${process.pid}`
  try {
    write(partial, [key])
    // it has its name when it is whole, and no other loses it
    linkSync(partial, path)
    syncFolder(path)
    return [key]
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return readKeyFile(path)
    throw new Error(`SECRETS_KEY: cannot make a key at ${path} (${messageOf(error)}): set SECRETS_KEY`)
  } finally {
    rmSync(partial, { force: true })
  }
}

/** Replaces the file, whole and durable. */
export function writeKeyFile(path: string, keys: readonly SecretKey[]): void {
  write(`${path}.new`, keys)
  renameSync(`${path}.new`, path)
  syncFolder(path)
}

function write(path: string, keys: readonly SecretKey[]): void {
  const file = openSync(path, 'w', 0o600)
  try {
    fchmodSync(file, 0o600)
    writeSync(file, text(keys))
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

/** A name is durable once its folder is. */
function syncFolder(path: string): void {
  const folder = openSync(dirname(path), 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))
const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? error.code : undefined)
