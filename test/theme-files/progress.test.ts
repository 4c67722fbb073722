import { expect, test } from 'vitest'
import { reportTo } from '../../src/theme-files/progress.ts'

function told(isTTY: boolean, uploads: number): string {
  const parts: string[] = []
  const progress = reportTo({ write: (part) => parts.push(part), isTTY })
  progress.start(2, { files: uploads, bytes: uploads * 1_024 })
  for (let upload = 0; upload < uploads; upload++) progress.transferred(1_024)
  progress.waiting('tally.example answers 503', 1_500)
  progress.did({ action: 'update', kind: 'bundle', name: 'Card' })
  progress.end()
  return parts.join('')
}

test('a log gets a line for each change and for every hundred files', () => {
  expect(told(false, 250).split('\n')).toEqual([
    '2 changes, 250 files (250 KB) to send',
    '100 of 250 files, 100 KB of 250 KB',
    '200 of 250 files, 200 KB of 250 KB',
    'tally.example answers 503: trying again in 2 s',
    'update bundle Card',
    '',
  ])
})

test('a terminal has one line that counts, and it is gone in the end', () => {
  const parts = told(true, 3).split('\r\u001b[K')
  expect(parts).toEqual([
    '2 changes, 3 files (3 KB) to send\n1 of 3 files, 1 KB of 3 KB',
    '2 of 3 files, 2 KB of 3 KB',
    '3 of 3 files, 3 KB of 3 KB',
    'tally.example answers 503: trying again in 2 s\nupdate bundle Card\n',
  ])
})

test('a pull says that files are fetched', () => {
  const parts: string[] = []
  reportTo({ write: (part) => parts.push(part) }).start(2, { files: 1, bytes: 1 }, 'fetch')
  expect(parts).toEqual(['2 changes, 1 files (1 KB) to fetch\n'])
})
