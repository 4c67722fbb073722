import { join } from 'node:path'
import { inject } from 'vitest'
import { copyCluster } from './cluster.ts'
import { temporaryDirectory } from './directory.ts'

/** Puts a database into an empty data directory as a server leaves it that never served: nobody waits for it to be made. */
export function giveCluster(dataDir: string): string {
  copyCluster(inject('clusterCopy'), join(dataDir, 'postgres'))
  return dataDir
}

/** A data directory with such a database, removed when the test finishes. */
export const usedDataDirectory = (): string => giveCluster(temporaryDirectory())
