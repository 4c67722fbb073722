import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './root.ts'

const readme = readFileSync(join(root, 'README.md'), 'utf8')

/** The shell lines of a section, as a reader copies them. */
export function commandsOf(heading: string): string {
  const section = readme.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? ''
  const blocks = [...section.matchAll(/^ *```sh\n([\s\S]*?)^ *```/gm)].map(([, block]) => block ?? '')
  if (blocks.length === 0) throw new Error(`the README shows no commands under "${heading}"`)
  return blocks.join('\n')
}

/** A shell function that a section defines. */
export function functionOf(heading: string, name: string): string {
  const found = new RegExp(`^ *${name}\\(\\) \\{(?:.*\\}$|[\\s\\S]*?^ *\\})`, 'm').exec(commandsOf(heading))
  if (!found) throw new Error(`the README defines no ${name}() under "${heading}"`)
  return found[0]
}
