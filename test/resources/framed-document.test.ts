import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { framedDocument } from '../../src/resources/code-graphics/framed-document.ts'

/** What stands before and behind what was put in. */
const split = (html: string | Buffer) => {
  const framed = framedDocument(Buffer.from(html as string)).toString()
  const start = framed.indexOf('<script>{')
  const end = framed.indexOf('}</script>') + '}</script>'.length
  return start < 0 ? [framed] : [framed.slice(0, start), framed.slice(end)]
}

describe('the page of a graphic in a frame of ours', () => {
  it.each([
    ['<!doctype html>', '<title>x</title>'],
    ['<!DOCTYPE html>\n<html lang="en">\n<head>', '<meta charset="utf-8"></head>'],
    ['<!-- saved > from --><!doctype html><!-- x --><html data-a="1>2"><!-- y --><head prefix=\'a: b>\'>', '<title>'],
    ['', '<h1>no doctype</h1>'],
    ['', '<header>is no head</header>'],
    ['<html>', '<header>'],
    ['\ufeff<!doctype html>', '<p>'],
    ['', ''],
    ['<!doctype html>', '<!-- never closed'],
    ['<!doctype html>', '<html lang="never closed>'],
  ])('%j comes before ours, %j behind', (before, behind) => {
    expect(split(before + behind)).toEqual([before, behind])
  })

  it('adds no line and keeps bytes that are no text', () => {
    const html = Buffer.concat([Buffer.from('<!doctype html>\n'), Buffer.from([0xff, 0xfe, 0x00, 0xe4])])
    const framed = framedDocument(html)
    expect(framed.toString('latin1').split('\n')).toHaveLength(2)
    expect(framed.subarray(-4)).toEqual(html.subarray(-4))
  })

  it('is what browsers that have it keep for good: another one needs another address than `?framed`', () => {
    const hash = createHash('sha256')
      .update(framedDocument(Buffer.alloc(0)))
      .digest('hex')
    expect(hash).toBe('585bb2b75aedf8f629e7f9b87c39ce747d93a0fa94670fd40f90668ce8578966')
  })

  it('leaves a text in UTF-16 as it is', () => {
    const html = Buffer.from('\ufeff<!doctype html>', 'utf16le')
    expect(framedDocument(html)).toEqual(html)
  })

  it('reads hostile heads in no time', () => {
    const start = performance.now()
    framedDocument(
      Buffer.from(`${'<!---->'.repeat(100_000)}${'<!doctype '.repeat(100_000)}<html ${'a="'.repeat(100_000)}`),
    )
    framedDocument(Buffer.from(`<html${' '.repeat(200_000)}${'"'.repeat(99_999)}`))
    expect(performance.now() - start).toBeLessThan(1_000)
  })
})
