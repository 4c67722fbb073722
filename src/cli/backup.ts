import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Readable } from 'node:stream'
import type { Logger } from 'pino'
import { z } from 'zod'
import type { Config } from '../config.ts'
import { openKeys } from '../secrets/open.ts'
import { backUp } from '../store/backup/backup.ts'
import { restore } from '../store/backup/restore.ts'
import { openBlobs } from '../store/open-blobs.ts'
import { type OptionKinds, optional, required, secretFrom, UsageError, type Values } from './arguments.ts'

/** A command that takes the database as it is: of any version of Tally, or empty. */
export type DatabaseCommand = {
  readonly name: string
  readonly usage: string
  readonly options: OptionKinds
  withDatabase(url: string, values: Values, around: { config: Config; log: Logger; stdin: Readable }): Promise<unknown>
}

const File = z
  .string()
  .min(1, 'must be a file')
  .transform((path) => resolve(path))

const passphraseOptions = { 'passphrase-stdin': 'switch', 'passphrase-file': 'value' } as const
const SHORTEST = 12

/** The passphrase of an archive: piped in or from a file, never an argument. */
async function passphraseOf(stdin: Readable, values: Values): Promise<string | undefined> {
  const file = optional(values, 'passphrase-file', File)
  if (file !== undefined && values['passphrase-stdin'])
    throw new UsageError('one passphrase: from stdin or from a file')
  if (file === undefined && !values['passphrase-stdin']) return undefined
  const passphrase = file === undefined ? await secretFrom(stdin) : (await readFile(file, 'utf8')).replace(/\r?\n$/, '')
  if (passphrase.length < SHORTEST) throw new UsageError(`a passphrase has at least ${SHORTEST} characters`)
  return passphrase
}

export const backupCommands: readonly DatabaseCommand[] = [
  {
    name: 'backup',
    usage: '--to FILE [--encrypt --passphrase-stdin | --passphrase-file FILE]',
    options: { to: 'value', encrypt: 'switch', ...passphraseOptions },
    async withDatabase(url, values, { config, stdin }) {
      const path = required(values, 'to', File)
      const passphrase = await passphraseOf(stdin, values)
      if ((values.encrypt === true) !== (passphrase !== undefined))
        throw new UsageError(
          '--encrypt needs a passphrase: --passphrase-stdin or --passphrase-file FILE, and they need it',
        )
      return backUp({ url, blobs: openBlobs(config), path, keys: openKeys(config), passphrase })
    },
  },
  {
    name: 'restore',
    usage: '--from FILE [--force] [--passphrase-stdin | --passphrase-file FILE]',
    options: { from: 'value', force: 'switch', ...passphraseOptions },
    withDatabase: async (url, values, { config, log, stdin }) =>
      restore({
        url,
        blobs: openBlobs(config),
        path: required(values, 'from', File),
        force: values.force === true,
        keys: openKeys(config),
        passphrase: await passphraseOf(stdin, values),
        log,
      }),
  },
]
