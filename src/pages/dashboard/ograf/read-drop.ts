import { type Zippable, zipSync } from 'fflate'

/** The graphics that somebody dropped or chose, as one zip. */
export type Dropped = { name: string; zip: Uint8Array<ArrayBuffer> }

/** The bounds of the server. */
const MAX_BYTES = 64 * 1024 * 1024
const MAX_FILES = 2_000

type File_ = { path: string; file: File }

/** The zip that was dropped, or one made of the folder or files. Throws with words for people. */
export async function readDrop(transfer: DataTransfer): Promise<Dropped> {
  // entries are gone once this turn is over
  const entries = [...transfer.items].flatMap((item) => item.webkitGetAsEntry() ?? [])
  const files = (await Promise.all(entries.map((entry) => filesIn(entry, '')))).flat()
  return readChosen(files)
}

/** The same of files with their paths. */
export async function readChosen(files: readonly File_[]): Promise<Dropped> {
  const [only] = files
  if (!only) throw new Error('Nothing was dropped that could be read')
  if (files.length === 1 && /\.zip$/i.test(only.path)) {
    if (only.file.size > MAX_BYTES) throw new Error(tooLarge)
    return { name: only.file.name, zip: await bytesOf(only.file) }
  }
  if (files.length > MAX_FILES) throw new Error(`More than ${MAX_FILES} files`)
  if (files.reduce((sum, { file }) => sum + file.size, 0) > MAX_BYTES) throw new Error(tooLarge)
  const parts: Zippable = {}
  for (const { path, file } of files) parts[path] = await bytesOf(file)
  return { name: only.path.split('/')[0] ?? only.path, zip: new Uint8Array(zipSync(parts, { level: 1 })) }
}

const tooLarge = 'Larger than 64 MB'
const bytesOf = async (file: File) => new Uint8Array(await file.arrayBuffer())

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile
const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory

async function filesIn(entry: FileSystemEntry, above: string): Promise<File_[]> {
  const path = above === '' ? entry.name : `${above}/${entry.name}`
  if (isFile(entry)) {
    const file = await new Promise<File>((resolve, reject) => entry.file(resolve, reject))
    return [{ path, file }]
  }
  if (!isFolder(entry)) return []
  const reader = entry.createReader()
  const found: File_[] = []
  // a reader answers a hundred at a time, and an empty list at the end
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
    if (some.length === 0) return found
    found.push(...(await Promise.all(some.map((one) => filesIn(one, path)))).flat())
    if (found.length > MAX_FILES) throw new Error(`More than ${MAX_FILES} files`)
  }
}
