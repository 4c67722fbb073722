import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { MEASURED } from './support/measured.ts'
import { LONG, quickFiles, reachOf, SLOW, testFiles } from './support/quick.ts'
import { root } from './support/root.ts'

const files = testFiles()
const quick = quickFiles(files)

it('[issue 16.1] the quick run starts no browser, no media and no second server', () => {
  // said without the walk over the imports, by what a file has to write to start something
  const starts = /playwright-core|child_process|\b(?:liveServer|startMediaMtx|startEmbedded|ffmpeg|chromium)\(/
  expect(
    quick.filter((file) => starts.test(readFileSync(join(root, file), 'utf8')) && file !== 'test/quick.test.ts'),
  ).toEqual([])
})

it('leaves nothing out that starts nothing', () => {
  const left = files.filter((file) => !quick.includes(file))
  const unexplained = left.filter((file) => !LONG.some((long) => file.startsWith(long)) && !MEASURED.includes(file))
  expect(unexplained.filter((file) => !SLOW.some((slow) => reachOf(file).has(slow)))).toEqual([])
  expect(quick).toEqual(expect.arrayContaining(['test/machines/overlay.test.ts', 'test/resources/teams.test.ts']))
  expect(quick.length / files.length).toBeGreaterThan(0.5)
})

it('names nothing that is gone, so that nothing is kept out in vain', () => {
  expect(LONG.filter((long) => !files.some((file) => file.startsWith(long)))).toEqual([])
  expect(MEASURED.filter((file) => !files.includes(file))).toEqual([])
  const reached = new Set(files.flatMap((file) => [...reachOf(file)]))
  expect(SLOW.filter((slow) => !reached.has(slow))).toEqual([])
})

it('follows helpers to what they start', () => {
  expect(reachOf('test/streams/inputs.test.ts')).toContain('test/support/media.ts')
  expect(reachOf('test/streams/inputs.test.ts')).toContain('node:child_process')
})
