import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryDirectory } from './support/directory.ts'
import { root } from './support/root.ts'

const dist = join(root, 'node_modules/uWebSockets.js/dist')

/** What CI says of an installed engine. */
function judge(folder: string): string[] {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['.ci/engine.mjs', '--engine', folder], {
    cwd: root,
    encoding: 'utf8',
  })
  return [String(status), ...stdout.split('\n'), ...stderr.split('\n')].filter(Boolean)
}

test('[issue 15.11] the prebuilt engine is byte for byte what is written down, and CI sees what is not', () => {
  expect(judge(dist)).toEqual(['0', 'the prebuilt engine: 26 files are as listed'])

  const folder = temporaryDirectory()
  mkdirSync(join(folder, 'bin'))
  for (const name of readdirSync(join(dist, 'bin'))) symlinkSync(join(dist, 'bin', name), join(folder, 'bin', name))
  for (const name of ['index.mjs', 'uws.mjs']) cpSync(join(dist, name), join(folder, name))
  rmSync(join(folder, 'bin/uws_win32_x64_127.node'))
  writeFileSync(join(folder, 'uws.mjs'), 'export default {}\n')
  writeFileSync(join(folder, 'bin/uws_linux_x64_137.node'), '')
  expect(judge(folder)).toEqual([
    '1',
    'the prebuilt engine: bin/uws_linux_x64_137.node is not listed',
    'the prebuilt engine: bin/uws_win32_x64_127.node is missing',
    expect.stringMatching(/^the prebuilt engine: uws.mjs is not what is listed \(sha256 [0-9a-f]{64}\)$/),
  ])
})
