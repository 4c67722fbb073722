import type { z } from 'zod'
import { HASH } from '../files.ts'
import { repeated } from './repeated.ts'
import { type BundleUpload, MAX_FILES } from './schema.ts'

type File = z.output<typeof BundleUpload>

const MAX_FILE_BYTES = 50 * 1024 * 1024
/** Every browser source keeps all of it. */
const MAX_BUNDLE_BYTES = 500 * 1024 * 1024
const MAX_NAME = 255
const TOKEN = "[A-Za-z0-9!#$&^_.+'*-]+"
const MIME = new RegExp(`^${TOKEN}/${TOKEN}( *; *${TOKEN}=(${TOKEN}|"[ !#-\\[\\]-~]*"))*$`)

/** Every rule that declared files break, as sentences; a whole file set must hold its entry. spec: Code graphics 21 */
export function brokenFileRules(files: readonly File[], entry?: string): string[] {
  const names = files.map(({ name }) => name)
  const each = (breaks: (file: File) => boolean, rule: string) =>
    files.filter(breaks).map(({ name }) => `${name}: ${rule}`)
  return [
    ...(files.length > MAX_FILES ? [`a bundle holds at most ${MAX_FILES} files`] : []),
    ...repeated(names).map((name) => `${name}: the name is used twice`),
    ...each(({ name }) => !isSafePath(name), 'not a relative path inside the bundle'),
    ...collisions(names),
    ...each(({ mime }) => mime.length > MAX_NAME || !MIME.test(mime), 'the mime is not a media type'),
    ...each(({ size }) => size > MAX_FILE_BYTES, `larger than ${MAX_FILE_BYTES} bytes`),
    ...(files.reduce((sum, { size }) => sum + size, 0) > MAX_BUNDLE_BYTES
      ? [`the files are larger than ${MAX_BUNDLE_BYTES} bytes together`]
      : []),
    ...each(({ hash }) => !HASH.test(hash), 'the hash is not a SHA-256 in lower-case hexadecimal'),
    ...(entry === undefined || names.includes(entry) ? [] : [`${entry}: the entry is missing`]),
  ]
}

/** A path that means the same on every system and never leaves the bundle. */
export const isSafePath = (path: string) =>
  [...path].length <= MAX_NAME &&
  !/[\p{Cc}\\:*?"<>|#%]/u.test(path) &&
  path.split('/').every((segment) => !['', '.', '..'].includes(segment) && Buffer.byteLength(segment) <= MAX_NAME)

/** As file systems compare that know no case and compose characters in their own way. */
const folded = (name: string) => name.normalize('NFC').toUpperCase().toLowerCase().normalize('NFC')

/** Names that would be one file, or a file and a folder, where case and composition make no difference. */
function collisions(names: readonly string[]): string[] {
  const rules: string[] = []
  const files = new Map<string, string>()
  const different = new Set(names)
  for (const name of different) {
    const key = folded(name)
    const first = files.get(key)
    if (first === undefined) files.set(key, name)
    else rules.push(`${name}: differs from ${first} only in case or in how its characters are composed`)
  }
  const reported = new Set<string>()
  for (const name of different) {
    const key = folded(name)
    for (let slash = key.indexOf('/'); slash >= 0; slash = key.indexOf('/', slash + 1)) {
      const file = files.get(key.slice(0, slash))
      if (file === undefined || reported.has(file)) continue
      reported.add(file)
      rules.push(`${file}: is a file and also the folder of ${name}`)
    }
  }
  return rules
}
