import type { Sql } from 'postgres'
import type { Page } from '../http/message.ts'
import { type FileBytes, fileHeaders, HASH, noFile, sendFile } from './files.ts'

/** The images at the addresses of `imageUrl`, for everybody; other stored files are not served here. */
export const imagePages = (sql: Sql, bytes: FileBytes): Page[] => [
  {
    path: '/images/{hash}',
    async handle(request, { hash = '' }) {
      const [image] = HASH.test(hash)
        ? await sql<{ contentType: string }[]>`select content_type as "contentType" from image where hash = ${hash}`
        : []
      if (!image) return noFile
      const headers = fileHeaders(image.contentType, hash, "default-src 'none'; sandbox")
      return sendFile(request, headers, () => bytes.open(hash))
    },
  },
]
