import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createHlsShelf } from '../../src/media/hls-shelf.ts'
import { temporaryDirectory } from '../support/directory.ts'

async function opened() {
  const root = temporaryDirectory()
  const shelf = createHlsShelf(root)
  const entry = await shelf.open('one', () => 2_000)
  const write = (name: string, text: string) => writeFileSync(join(entry.folder, name), text)
  return { root, shelf, entry, write }
}

describe('the shelf of HLS destinations', () => {
  test('[issue 5.4] names each player that asks for the index, with the bandwidth it needs', async () => {
    const { shelf } = await opened()
    const [first = '', second = ''] = [shelf.index('one'), shelf.index('one')]
    expect(first).toContain('BANDWIDTH=2400000')
    expect(/sid=([\w-]+)/.exec(first)?.[1]).not.toBe(/sid=([\w-]+)/.exec(second)?.[1])
    expect(shelf.index('two')).toBeUndefined()
  })

  test('[issue 5.4] counts players that fetched the playlist in the last ten seconds, each once', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    const { shelf, entry, write } = await opened()
    expect(await shelf.playlist('one', 'a')).toBeUndefined()
    expect(entry.clients()).toBe(0)
    write('media.m3u8', '#EXTM3U')
    for (const client of ['a', 'b', 'a', '../etc', '']) expect(await shelf.playlist('one', client)).toBe('#EXTM3U')
    expect(entry.clients()).toBe(2)
    vi.advanceTimersByTime(9_000)
    await shelf.playlist('one', 'b')
    vi.advanceTimersByTime(2_000)
    expect(entry.clients()).toBe(1)
    vi.advanceTimersByTime(10_000)
    expect(entry.clients()).toBe(0)
  })

  test('[issue 5.4] gives out segments and nothing else', async () => {
    const { root, shelf, write } = await opened()
    write('12.ts', 'video')
    write('12.ts.tmp', 'half')
    writeFileSync(join(root, '3.ts'), 'of nobody')
    expect(String(await shelf.segment('one', '12.ts'))).toBe('video')
    expect(await shelf.segment('one', '12.ts')).toBe(await shelf.segment('one', '12.ts'))
    for (const file of ['12.ts.tmp', '../3.ts', '..', 'media.m3u8', '/etc/passwd', '13.ts'])
      expect(await shelf.segment('one', file)).toBeUndefined()
    expect(await shelf.segment('..', '3.ts')).toBeUndefined()
    write('13.ts', 'later')
    expect(String(await shelf.segment('one', '13.ts'))).toBe('later')
  })

  test('[issue 5.4] counts what was written, deleted segments too, once there is a playlist', async () => {
    const { entry, write, root } = await opened()
    expect(await entry.bytes()).toBe(0)
    write('1.ts.tmp', '12345')
    expect(await entry.bytes()).toBe(0)
    write('media.m3u8', '#EXTM3U')
    expect(await entry.bytes()).toBe(5)
    rmSync(join(root, 'one', '1.ts.tmp'))
    write('1.ts', '1234567')
    write('2.ts', '123')
    expect(await entry.bytes()).toBe(10)
    rmSync(join(root, 'one', '1.ts'))
    expect(await entry.bytes()).toBe(10)
  })

  test('[issue 5.4] clears what a killed server left, and not what is open', async () => {
    const root = temporaryDirectory()
    for (const token of ['left', 'mine']) {
      mkdirSync(join(root, token))
      writeFileSync(join(root, token, 'media.m3u8'), '#EXTM3U')
    }
    const shelf = createHlsShelf(root)
    const [mine, other] = await Promise.all([shelf.open('mine', () => null), shelf.open('other', () => null)])
    expect(readdirSync(root).sort()).toEqual(['mine', 'other'])
    expect(readdirSync(join(root, 'mine'))).toEqual([])
    await mine.close()
    expect(readdirSync(root)).toEqual(['other'])
    expect(shelf.index('mine')).toBeUndefined()
    const again = await shelf.open('other', () => null)
    await other.close()
    expect(shelf.index('other')).toBeDefined()
    await again.close()
    expect(readdirSync(root)).toEqual([])
  })
})
