import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from '../../src/http/guides/markdown.ts'
import { sizeOfPicture } from '../../src/http/guides/picture.ts'
import { readGuides } from '../../src/http/guides/write.ts'
import { chaptersOf, commandsOf, GUIDES, UNTYPED } from '../support/guides.ts'
import { root } from '../support/root.ts'

const text = (file: string) => readFileSync(join(root, file), 'utf8')

/** Every page of the repository. */
const pages = ['.', 'bench', 'docs', 'machines', 'src', 'workers'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: folder !== '.', encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name)),
)

/** Where the words of a page lead, pictures too; not what is code. */
const linksOf = (file: string) =>
  Array.from(
    text(file)
      .replace(/^ *```[\s\S]*?^ *```$/gm, '')
      .replace(/`[^`\n]*`/g, '')
      .matchAll(/\]\(([^)\s]+)\)/g),
    ([, href = '']) => href,
  ).filter((href) => !/^[a-z]+:/.test(href))

const anchorsOf = (file: string) => Array.from(parse(text(file)).headings.values(), ({ id }) => id)

/** Tables of decisions. */
const countOf = (part: string) => part.match(/^\| question +\| decision +\| why +\|$/gm)?.length ?? 0

describe('the pages of the repository', () => {
  test.each(pages)('[issue 16.5] every link of %s leads somewhere', (file) => {
    const lost = linksOf(file).filter((href) => {
      const [path = '', anchor] = href.split('#')
      const target = path === '' ? file : join(dirname(file), path)
      if (!existsSync(join(root, target))) return true
      return anchor !== undefined && !anchorsOf(target).includes(anchor)
    })
    expect(lost).toEqual([])
  })

  test('[issue 16.5] the index of decisions leads to every table of them', () => {
    const listed = linksOf('src/DECISIONS.md').map((href) => join('src', href))
    const tables = pages
      .filter((file) => file.endsWith('/DECISIONS.md') && file !== 'src/DECISIONS.md')
      .flatMap((file) =>
        anchorsOf(file)
          .slice(1)
          .map((anchor) => `${file}#${anchor}`),
      )
    expect(tables.filter((table) => !listed.includes(table))).toEqual([])
  })

  test('[issue 16.5] every table of decisions stands under a topic of its own', () => {
    const topics = pages
      .filter((file) => file.endsWith('DECISIONS.md'))
      .flatMap((file) => {
        const [first = '', ...others] = text(file).split(/^## /m)
        return [
          { topic: file, tables: countOf(first), wanted: 0 },
          ...others.map((part) => ({ topic: `${file}: ${part.split('\n')[0]}`, tables: countOf(part), wanted: 1 })),
        ]
      })
    expect(topics.filter(({ tables, wanted }) => tables !== wanted)).toEqual([])
  })

  test('[issue 16.4] the table of src/actors/ names its files, and nothing that is gone', () => {
    const named = Array.from(text('src/actors/README.md').matchAll(/^\| `([\w-]+\.ts)` +\|/gm), ([, name]) => name)
    expect(named.sort()).toEqual(readdirSync(join(root, 'src/actors')).filter((name) => name.endsWith('.ts')))
  })

  test('[issue 16.5] the README fits into 250 lines', () => {
    expect(text('README.md').split('\n').length).toBeLessThanOrEqual(250)
  })
})

describe('the guides', () => {
  const guides = GUIDES.filter((file) => file !== 'README.md')

  test.each(guides)('[issue 16.5] %s says first for whom it is', (file) => {
    expect(text(file).split('\n').slice(0, 3)).toEqual([
      expect.stringMatching(/^# \S/),
      '',
      expect.stringMatching(/^For (whoever|everybody|developers|designers|operators|integrators)\b/),
    ])
  })

  test('[issue 16.5] all are listed, each once', () => {
    const listed = linksOf('docs/README.md')
      .filter((href) => href.endsWith('.md'))
      .map((href) => join('docs', href))
    expect(listed.sort()).toEqual(GUIDES.filter((file) => file !== 'docs/README.md').sort())
  })

  test('[issue 16.5] every page has what a reader looks for: a lead, chapters, and a picture of its size', async () => {
    const read = await readGuides(root)
    expect(read).toHaveLength(GUIDES.length)
    for (const { name, title, lead, body, sections } of read) {
      expect([name, title.length > 3, lead.startsWith('<p>')]).toEqual([name, true, true])
      expect(sections.every(({ text, code }) => !`${text}${code}`.includes('undefined'))).toBe(true)
      expect(body).not.toMatch(/\]\(|<img(?![^>]* width="\d+")/)
    }
  })

  test('a picture says its size in its first bytes', () => {
    for (const name of readdirSync(join(root, 'docs/pictures'))) {
      const bytes = readFileSync(join(root, 'docs/pictures', name))
      const size = sizeOfPicture(bytes)
      expect([name, size]).toEqual([name, { width: expect.any(Number), height: expect.any(Number) }])
      // the pages are shot at a desk's or a telephone's width, twice as fine at most
      expect(size?.width).toBeGreaterThanOrEqual(300)
      expect(size?.width).toBeLessThanOrEqual(3_840)
    }
    expect(sizeOfPicture(Buffer.alloc(40))).toBeUndefined()
    expect(sizeOfPicture(Buffer.from('RIFF'))).toBeUndefined()
  })

  test('their pictures are used and small', () => {
    const used = new Set(pages.flatMap(linksOf).map((href) => href.split('/').at(-1)))
    const pictures = readdirSync(join(root, 'docs/pictures'))
    expect(pictures.filter((name) => !used.has(name))).toEqual([])
    const bytes = pictures.map((name) => statSync(join(root, 'docs/pictures', name)).size)
    expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThan(1_500_000)
  })
})

describe('commands', () => {
  /** Tests name a page and a chapter whose commands they type. */
  const typed = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts') && !name.endsWith('guides.test.ts'))
    .flatMap((name) =>
      Array.from(
        text(join('test', name)).matchAll(/commandsOf\(\s*'([^']+)',\s*'([^']+)'/g),
        ([, file, heading]) => `${file}: ${heading}`,
      ),
    )

  const shown = GUIDES.flatMap((file) =>
    chaptersOf(file).flatMap(({ heading, blocks }) =>
      blocks
        .flatMap((block) => block.split('\n'))
        .filter((line) => line.trim())
        .map((line) => ({ chapter: `${file}: ${heading}`, line: line.trim() })),
    ),
  )

  test('[issue 16.5] of every chapter are typed by a test, but for those that say why not', () => {
    const left = shown.filter(({ chapter, line }) => !(line in UNTYPED) && !typed.includes(chapter))
    expect(left).toEqual([])
  })

  test('that are not typed are still shown', () => {
    const lines = new Set(shown.map(({ line }) => line))
    expect(Object.keys(UNTYPED).filter((line) => !lines.has(line))).toEqual([])
  })

  test('are found by their chapter, and asked for in vain where there are none', () => {
    expect(commandsOf('docs/streams.md', 'Players: HLS and SRT')).toContain('PLAYER=$(tally')
    expect(() => commandsOf('docs/streams.md', 'Good to know')).toThrow('shows no commands')
  })
})
