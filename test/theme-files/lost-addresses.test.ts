import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readThemeFolder } from '../../src/theme-files/folder.ts'
import { lostAddresses } from '../../src/theme-files/lost-addresses.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { root } from '../support/root.ts'
import { stateMachine, write } from './support.ts'

async function lostOf(files: Record<string, string>): Promise<string[]> {
  const folder = temporaryDirectory()
  write(folder, 'theme.json', { name: 'Drawn', sports: ['football'] })
  write(folder, 'graphics/card/graphic.json', { name: 'Card', stateMachine })
  for (const [path, content] of Object.entries({ 'index.html': '', ...files }))
    write(folder, `graphics/card/${path}`, content)
  const { graphics } = await readThemeFolder(folder)
  return lostAddresses(graphics)
}

test('addresses from the root are told, as a bundler writes them unless it is told otherwise', async () => {
  const page = `<script type="module" crossorigin src="/assets/index-3f.js"></script>
    <link rel="stylesheet" href='/assets/index.css'>`
  expect(await lostOf({ 'index.html': page, 'assets/index-3f.js': '', 'assets/index.css': '' })).toEqual([
    `graphics/card/index.html asks for /assets/index-3f.js, which is not in the bundle: addresses are relative (Vite: base: './')`,
    `graphics/card/index.html asks for /assets/index.css, which is not in the bundle: addresses are relative (Vite: base: './')`,
  ])
})

test('a file that is missing or has other capitals is told once, from style sheets too', async () => {
  const page = '<img src="Crest.PNG"><img src="Crest.PNG"><script src="./lost.js?v=1"></script>'
  const sheet = '@font-face { src: url("../fonts/Bold.woff2") } b { background: url(fonts/none.svg) }'
  expect(await lostOf({ 'index.html': page, 'crest.png': '', 'css/card.css': sheet, 'fonts/Bold.woff2': '' })).toEqual([
    'graphics/card/css/card.css asks for fonts/none.svg, which is not in the bundle',
    'graphics/card/index.html asks for Crest.PNG, which is not in the bundle: it has crest.png',
    'graphics/card/index.html asks for ./lost.js?v=1, which is not in the bundle',
  ])
})

test('what is there, elsewhere, built by a script or out of use is left alone', async () => {
  const page = `<!-- <script src="/old.js"></script> --><script src="./Größe%201.js?v=2#a"></script><base href="./"><a href="#top"></a>
    <img src="data:image/png;base64,AA=="><img src="//cdn.example/a.png"><img src="https://cdn.example/a.png">
    <script>const img = \`<img src="\${logo}">\`</script><style>b { fill: url(#stripes) } /* url(/old.png) */</style>`
  expect(await lostOf({ 'index.html': page, 'Größe 1.js': '' })).toEqual([])
})

test('quotes and brackets may stand in a name', async () => {
  const page = `<img src="St. John's (1).png"><img src='R&amp;B.png'><i style="background: url('a (2).png')"></i>`
  const names = ["St. John's (1).png", 'R&B.png', 'a (2).png']
  expect(await lostOf({ 'index.html': page })).toEqual(
    names.map((name) => `graphics/card/index.html asks for ${name}, which is not in the bundle`),
  )
  expect(await lostOf({ 'index.html': page, ...Object.fromEntries(names.map((name) => [name, ''])) })).toEqual([])
})

test('the demo has none', async () => {
  const { graphics } = await readThemeFolder(join(root, 'dist/demo/theme'))
  expect(await lostAddresses(graphics)).toEqual([])
})
