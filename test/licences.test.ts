import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

/** Whoever runs or changes Tally may do so under MIT with these: they ask for a notice at most. */
const FREE = new Set(
  '0BSD Apache-2.0 BlueOak-1.0.0 BSD-2-Clause BSD-3-Clause CC0-1.0 ISC MIT PostgreSQL PSF-2.0 Python-2.0 Unlicense Zlib'.split(
    ' ',
  ),
)

type Exception = { packages: RegExp; licence: string; why: string }

const EXCEPTIONS: readonly Exception[] = [
  {
    packages: /^@img\/sharp-(libvips-|win32-|wasm32)/,
    licence: 'LGPL-3.0-or-later',
    why: 'libvips of sharp: a prebuilt shared library that npm installs beside it, unchanged, which anybody may replace by a build of their own',
  },
  {
    packages: /^(axe-core|lightningcss(-.+)?)$/,
    licence: 'MPL-2.0',
    why: 'tools of tests and of the build, unchanged; nothing of them is in what is built',
  },
  {
    packages: /^@fontsource\//,
    licence: 'OFL-1.1',
    why: 'the typeface of the pages: it may go with any program, and is not sold by itself',
  },
]

type Locked = { version?: string; license?: string; link?: boolean }

/** What the project is installed with, and what parts of it are alone. */
const LOCKS = ['package-lock.json', 'clients/companion/package-lock.json', '.ci/engines/package-lock.json']
// what is not below a node_modules folder, or links there, is our own
const packages = LOCKS.flatMap((path) => {
  const lock = JSON.parse(readFileSync(new URL(`../${path}`, import.meta.url), 'utf8'))
  return Object.entries<Locked>(lock.packages).flatMap(([place, { license, link }]) =>
    link || !place.includes('node_modules/')
      ? []
      : [{ name: place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length), license }],
  )
})

/** The licences of an SPDX expression that bind: all of `AND`, and of `OR` the first that is free. */
function binding(expression: string): string[] {
  const all = expression.replace(/[()]/g, '').split(' AND ')
  return all.map((part) => part.split(' OR ').find((choice) => FREE.has(choice)) ?? part)
}

it('every package of the lockfiles may go with a program under MIT, or is named here with the reason', () => {
  const refused = packages.flatMap(({ name, license = 'none' }) => {
    const bound = binding(license).filter((one) => !FREE.has(one))
    const excused = (one: string) => EXCEPTIONS.some(({ packages, licence }) => licence === one && packages.test(name))
    return bound.every(excused) ? [] : [`${name}: ${license}`]
  })
  expect(packages.length).toBeGreaterThan(100)
  expect(refused).toEqual([])
})

it('names no exception that nothing needs any more', () => {
  const idle = EXCEPTIONS.filter(
    ({ packages: pattern, licence }) =>
      !packages.some(({ name, license = '' }) => pattern.test(name) && binding(license).includes(licence)),
  )
  expect(idle).toEqual([])
})
