import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { temporaryDirectory } from './directory.ts'
import { root } from './root.ts'

const folder = join(root, 'test/nodes/upgrade')

/** The last release: what ran before this code, and must serve beside it. */
export const release: {
  version: string
  commit: string
  /** The newest migration that it knows. */
  knows: string
  /** By kind, the version of the snapshots that it writes, and the highest that it reads. */
  machines: Record<string, number>
} = JSON.parse(readFileSync(join(folder, 'release.json'), 'utf8'))

/** Its build, which is removed when the test finishes; answers the folder of its programs. Libraries that it does not hold are ours. */
export function unpackRelease(): string {
  const place = temporaryDirectory()
  symlinkSync(join(root, 'node_modules'), join(place, 'node_modules'))
  const home = join(place, 'release')
  mkdirSync(home)
  execFileSync('tar', ['-x', '-C', home], { input: brotliDecompressSync(readFileSync(join(folder, 'release.tar.br'))) })
  return join(home, 'dist')
}

/** The build of this code with one more migration, as a version that comes after it has. */
export function nextVersion(name: string, sql: string): string {
  const place = temporaryDirectory()
  symlinkSync(join(root, 'node_modules'), join(place, 'node_modules'))
  cpSync(join(root, 'package.json'), join(place, 'package.json'))
  const dist = join(place, 'dist')
  for (const path of ['run', 'src', 'CHANGELOG.md'])
    cpSync(join(root, 'dist', path), join(dist, path), { recursive: true })
  for (const path of ['pages', 'demo']) symlinkSync(join(root, 'dist', path), join(dist, path))
  writeFileSync(join(dist, 'src/store/migrations', name), sql)
  return dist
}
