import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { BlobsUnavailable } from '../../src/store/blobs.ts'
import { createFolderBlobs } from '../../src/store/blobs-folder.ts'
import { fill, mayMount, removeDisk, smallDisk } from '../chaos/disk.ts'
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

if (mayMount())
  it('a folder on a disk that is full is unavailable, keeps nothing, and works again once there is room', async () => {
    const disk = smallDisk()
    onTestFinished(() => removeDisk(disk))
    const folder = join(disk, 'blobs')
    const blobs = createFolderBlobs(folder)
    await blobs.put(Buffer.from('before'))
    const filler = join(disk, 'filler')
    fill(filler)
    const bytes = Buffer.alloc(500_000, 'x')
    await expect(blobs.put(bytes)).rejects.toThrow(BlobsUnavailable)
    expect(await readdir(folder)).toHaveLength(1)
    await rm(filler)
    expect((await blobs.put(bytes)).size).toBe(500_000)
  })
