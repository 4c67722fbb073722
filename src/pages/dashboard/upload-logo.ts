import { sha256 } from '../shared/sha256.ts'
import { api } from './api.ts'
import { type Address, sendBytes } from './send-bytes.ts'

/** As the server takes it. */
export const MAX_LOGO_BYTES = 512_000

type Opened = Address & { uploadId: number }

/** Why a file cannot be a logo; undefined when nothing speaks against it here. */
export function wrongLogo({ type, size }: File): string | undefined {
  if (type !== 'image/png' && type !== 'image/jpeg') return 'A logo is a PNG or a JPEG'
  return size > MAX_LOGO_BYTES ? 'A logo has at most 500 KB' : undefined
}

/** Sets the logo at a path of the API (`/v1/teams/5/logo`) from a file. Throws Refusal. */
export async function uploadLogo(path: string, file: File): Promise<void> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  const declared = { filename: file.name.slice(0, 255), contentType: file.type, size: file.size, sha256: sha256(bytes) }
  const { uploadId, ...address } = await api<Opened>('POST', `${path}/uploads`, { body: declared })
  await sendBytes(address, bytes, 'The picture could not be sent. Is it damaged?')
  await api('PUT', path, { body: { uploadId } })
}

/** A file as an address that an image can show at once. */
export const previewOf = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(file)
  })
