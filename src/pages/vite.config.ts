import { cpSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { defineConfig, type EnvironmentOptions, type Plugin } from 'vite'

const src = dirname(import.meta.dirname)
const dist = join(dirname(src), 'dist')
const { version } = JSON.parse(readFileSync(join(dirname(src), 'package.json'), 'utf8'))

const environment = (html: string[], assetsDir: string, classic: boolean): EnvironmentOptions => ({
  consumer: 'client',
  build: {
    outDir: dist,
    emptyOutDir: false,
    assetsDir,
    assetsInlineLimit: 0,
    modulePreload: false,
    // otherwise a classic script would carry its style sheet, and the first paint would wait for it
    cssCodeSplit: !classic,
    // the oldest engine that hosts us: OBS 27.2
    target: 'chrome95',
    cssTarget: 'chrome95',
    rolldownOptions: {
      input: html.map((path) => join(src, path)),
      // "use client" is for frameworks that render on the server
      checks: { moduleLevelDirective: false },
      ...(classic ? { output: { format: 'iife' as const } } : {}),
    },
  },
})

/** One script of a page that is written elsewhere. */
const script = (path: string, output: string): EnvironmentOptions => {
  const { build, ...rest } = environment([path], 'docs', false)
  const rolldownOptions = { ...build?.rolldownOptions, output: { entryFileNames: output } }
  return { ...rest, build: { ...build, rolldownOptions } }
}

const theme = 'demo/theme'
const graphics = readdirSync(join(src, theme, 'graphics'))

// environment names are identifiers
const graphicEnvironments = Object.fromEntries(
  graphics.map((slug) => [
    `graphic_${slug.replaceAll('-', '_')}`,
    environment([`${theme}/graphics/${slug}/index.html`], `${theme}/graphics/${slug}/assets`, true),
  ]),
)
const icons = [192, 512].map((size) => `pages/desk/icon-${size}.png`)
const copied = [
  ...icons,
  `${theme}/theme.json`,
  `${theme}/game-plan.json`,
  ...graphics.map((slug) => `${theme}/graphics/${slug}/graphic.json`),
  ...readdirSync(join(src, theme, 'brands')).flatMap((file) =>
    file.endsWith('.png') ? [`${theme}/brands/${file}`] : [],
  ),
]

/**
 * A sandboxed iframe has no origin and CasparCG opens files: neither may load modules, so graphics get classic scripts,
 * and addresses that hold wherever the folder lies.
 */
const portable: Plugin = {
  name: 'portable',
  enforce: 'post',
  applyToEnvironment: ({ name }) => name.startsWith('graphic_'),
  generateBundle(_options, bundle) {
    // without these the fonts would wait for the style sheet and the script
    const fonts = Object.keys(bundle)
      .filter((name) => name.endsWith('.woff2') && /latin-\d/.test(name))
      .map((name) => `<link rel="preload" as="font" type="font/woff2" crossorigin href="./assets/${basename(name)}">`)
    for (const file of Object.values(bundle))
      if (file.type === 'asset' && file.fileName.endsWith('.html'))
        file.source = String(file.source)
          .replaceAll('<script type="module" crossorigin', '<script defer')
          .replaceAll('<link rel="stylesheet" crossorigin', '<link rel="stylesheet"')
          .replaceAll(`../../../../${dirname(file.fileName)}/`, './')
          .replace('<script', () => `${fonts.join('')}<script`)
  },
}

/** The browser source is one small file, so that its first paint waits for nothing. */
const inlined: Plugin = {
  name: 'inlined',
  enforce: 'post',
  applyToEnvironment: ({ name }) => name === 'overlay',
  generateBundle(_options, bundle) {
    const files = Object.values(bundle)
    const html = files.find((file) => file.type === 'asset' && file.fileName.endsWith('.html'))
    if (html?.type !== 'asset') throw new Error('the overlay page was not built')
    let page = String(html.source)
    for (const file of files) {
      if (file === html) continue
      const name = file.fileName.split('/').at(-1) ?? ''
      const tag = new RegExp(`\\s*<(script|link)[^>]*${name.replaceAll('.', '\\.')}"[^>]*>(</script>)?`)
      const text = file.type === 'chunk' ? file.code : String(file.source)
      const element = file.type === 'chunk' ? `<script type="module">${text.trim()}</script>` : `<style>${text}</style>`
      page = page.replace(tag, '').replace('</head>', () => `${element}</head>`)
      delete bundle[file.fileName]
    }
    if (/\ssrc=|<link(?! rel="icon" href="data:)/.test(page)) throw new Error('the overlay page must load nothing')
    html.source = page
  },
}

// biome-ignore lint/style/noDefaultExport: Vite reads the default export
export default defineConfig({
  root: src,
  base: './',
  publicDir: false,
  define: { 'import.meta.env.VITE_VERSION': JSON.stringify(version) },
  experimental: {
    // the pages live at /monitor/{token}, their assets at /assets/
    renderBuiltUrl: (file) => (file.startsWith('pages/assets/') ? file.replace('pages/', '/') : { relative: true }),
  },
  plugins: [portable, inlined],
  environments: {
    client: environment(
      ['monitor', 'control', 'desk', 'dashboard', 'preview', 'replay', 'motion', 'ograf', 'overlay-file', 'still'].map(
        (page) => `pages/${page}/index.html`,
      ),
      'pages/assets',
      false,
    ),
    overlay: environment(['pages/overlay/index.html'], 'pages/overlay', false),
    desk_worker: script('pages/desk/worker.ts', 'pages/desk/worker.js'),
    documents: script('pages/docs/search.ts', 'docs/search.js'),
    ...graphicEnvironments,
  },
  builder: {
    async buildApp(builder) {
      for (const folder of ['pages', 'demo']) rmSync(join(dist, folder), { recursive: true, force: true })
      for (const target of Object.values(builder.environments)) if (target.name !== 'ssr') await builder.build(target)
      for (const path of copied) cpSync(join(src, path), join(dist, path))
    },
  },
})
