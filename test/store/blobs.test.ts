import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { createFolderBlobs } from '../../src/store/blobs-folder.ts'
import { blobsContract } from '../contract/blobs.ts'

blobsContract('a folder', {
  async make() {
    const folder = await mkdtemp(join(tmpdir(), 'tally-blobs-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    return {
      blobs: createFolderBlobs(folder),
      folder,
      names: async () =>
        (await readdir(folder, { recursive: true, withFileTypes: true }))
          .filter((entry) => entry.isFile())
          .map((entry) => entry.name),
      damage: (hash) => writeFile(join(folder, hash.slice(0, 2), hash), 'something else'),
    }
  },
})
