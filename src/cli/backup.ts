import { resolve } from 'node:path'
import type { Logger } from 'pino'
import { z } from 'zod'
import type { Config } from '../config.ts'
import { backUp } from '../store/backup/backup.ts'
import { restore } from '../store/backup/restore.ts'
import { openBlobs } from '../store/open-blobs.ts'
import { type OptionKinds, required, type Values } from './arguments.ts'

/** A command that takes the database as it is: of any version of Tally, or empty. */
export type DatabaseCommand = {
  readonly name: string
  readonly usage: string
  readonly options: OptionKinds
  withDatabase(url: string, values: Values, around: { config: Config; log: Logger }): Promise<unknown>
}

const File = z
  .string()
  .min(1, 'must be a file')
  .transform((path) => resolve(path))

export const backupCommands: readonly DatabaseCommand[] = [
  {
    name: 'backup',
    usage: '--to FILE',
    options: { to: 'value' },
    withDatabase: (url, values, { config }) =>
      backUp({ url, blobs: openBlobs(config), path: required(values, 'to', File) }),
  },
  {
    name: 'restore',
    usage: '--from FILE [--force]',
    options: { from: 'value', force: 'switch' },
    withDatabase: (url, values, { config, log }) =>
      restore({
        url,
        blobs: openBlobs(config),
        path: required(values, 'from', File),
        force: values.force === true,
        log,
      }),
  },
]
