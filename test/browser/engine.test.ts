import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { transformWithOxc } from 'vite'
import { describe, expect, test } from 'vitest'
import { demoGraphics } from '../support/demo-theme.ts'

const dist = join(import.meta.dirname, '../../dist')
const overlay = readFileSync(join(dist, 'pages/overlay/index.html'), 'utf8')

const graphicFiles = demoGraphics.flatMap(({ folder }) => {
  const root = join(dist, 'demo/theme/graphics', folder)
  return readdirSync(root, { recursive: true, encoding: 'utf8' }).map((name) => ({
    folder,
    name,
    path: join(root, name),
  }))
})
const assets = join(dist, 'pages/assets')
const motionEntry = /\/assets\/(index-[\w-]+\.js)/.exec(
  readFileSync(join(dist, 'pages/motion/index.html'), 'utf8'),
)?.[1]
/** Of the page that hosts OGraf graphics its own script, and what it shares with others. */
const ografEntry =
  /\/assets\/(index-[\w-]+\.js)/.exec(readFileSync(join(dist, 'pages/ograf/index.html'), 'utf8'))?.[1] ?? ''
const ografScripts = [
  ografEntry,
  ...[...readFileSync(join(assets, ografEntry), 'utf8').matchAll(/from\s*["']\.\/([\w-]+\.js)["']/g)].map(
    ([, name = '']) => name,
  ),
]
const motionScripts = [
  motionEntry ?? '',
  ...readdirSync(assets).filter((name) => /^(canvas|webgl2)_advanced.*\.js$/.test(name)),
]
const sources = [
  ...motionScripts.map((name) => ({
    name: `motion graphics, ${name.replace(/-.*/, '')}`,
    code: readFileSync(join(assets, name), 'utf8'),
  })),
  ...ografScripts.map((name) => ({
    name: `OGraf graphics, ${name.replace(/-.*/, '')}`,
    code: readFileSync(join(assets, name), 'utf8'),
  })),
  { name: 'overlay page', code: /<script type="module">([\s\S]*)<\/script>/.exec(overlay)?.[1] ?? '' },
  ...graphicFiles
    .filter(({ name }) => name.endsWith('.js'))
    .map(({ folder, path }) => ({ name: folder, code: readFileSync(path, 'utf8') })),
]
const styles = [
  { name: 'overlay page', code: /<style>([\s\S]*)<\/style>/.exec(overlay)?.[1] ?? '' },
  ...graphicFiles
    .filter(({ name }) => name.endsWith('.css'))
    .map(({ folder, path }) => ({ name: folder, code: readFileSync(path, 'utf8') })),
]

// browser-source 1: what came after Chromium 95, and what needs a secure context
const NEWER =
  /\b(structuredClone|findLast|findLastIndex|toSorted|toReversed|toSpliced|groupBy|withResolvers|startViewTransition|randomUUID)\b|AbortSignal\.(timeout|any)|Promise\.try|Temporal\.|new Set\([^)]*\)\.(union|intersection|difference)/
const NEWER_CSS =
  /@layer|@container|@starting-style|:has\(|color-mix\(|light-dark\(|linear\(\s*0|text-wrap|anchor-name|(^|[{;])(translate|rotate|scale):|&/

describe('[browser-source 1] built for Chromium 95', () => {
  test.each(sources)('the script of $name is ES2021 and uses no newer interface', async ({ code }) => {
    expect(code.length).toBeGreaterThan(200)
    const lowered = await transformWithOxc(code, 'page.js', { target: 'es2021', sourcemap: false })
    const same = await transformWithOxc(code, 'page.js', { target: 'esnext', sourcemap: false })
    expect(lowered.code).toBe(same.code)
    expect(NEWER.exec(code)?.[0]).toBeUndefined()
  })

  test.each(styles)('the style sheet of $name uses nothing newer', ({ code }) => {
    expect(code.length).toBeGreaterThan(100)
    expect(NEWER_CSS.exec(code)?.[0]).toBeUndefined()
  })

  test('the overlay page is one file of under 30 KB that loads nothing', () => {
    expect(overlay.length).toBeLessThan(30_000)
    expect(overlay).not.toMatch(/\ssrc=|<link(?! rel="icon" href="data:)|@import|url\(/)
  })

  test.each(demoGraphics)(
    'the bundle of $name is a portable folder: relative names, classic script, light',
    ({ folder }) => {
      const files = graphicFiles.filter((file) => file.folder === folder && /\.\w+$/.test(file.name))
      const html = readFileSync(join(dist, 'demo/theme/graphics', folder, 'index.html'), 'utf8')
      for (const [, address] of html.matchAll(/(?:src|href)="([^"]+)"/g)) {
        expect(address).toMatch(/^\.\/assets\//)
        expect(files.map(({ name }) => `./${name}`)).toContain(address)
      }
      expect(html).not.toContain('type="module"')
      const code = files.filter(({ name }) => !name.endsWith('.woff2'))
      expect(code.reduce((sum, { path }) => sum + gzipSync(readFileSync(path)).length, 0)).toBeLessThan(12_000)
    },
  )
})
