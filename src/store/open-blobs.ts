import { join } from 'node:path'
import type { Blobs, SweptBlobs } from './blobs.ts'
import { createFolderBlobs } from './blobs-folder.ts'
import { createS3Blobs, type S3Options } from './blobs-s3.ts'

/** The blobs of a server: in its bucket when it has one, else in its DATA_DIR. */
export function openBlobs({
  dataDir,
  s3,
}: {
  dataDir: string
  s3: S3Options | undefined
}): Blobs & Partial<SweptBlobs> {
  const folder = join(dataDir, 'blobs')
  return s3 ? createS3Blobs(s3, folder) : createFolderBlobs(folder)
}
