import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './root.ts'

export type Chapter = {
  readonly depth: number
  readonly heading: string
  /** Its shell lines, block by block. */
  readonly blocks: readonly string[]
}

/** The pages that show commands to people, by their path in the repository. */
export const GUIDES = [
  ...['README.md', 'CONTRIBUTING.md', 'SECURITY.md'],
  ...readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
]

/** Commands that no test types, each with the reason. */
export const UNTYPED: Readonly<Record<string, string>> = {
  'npm run check        # lint and types: seconds, nothing has to run': 'a step of .ci/run',
  'npm run test:quick   # all but browsers, media, second servers, and what measures a time': 'a part of this very run',
  'npm test             # everything, on a machine with nothing running': 'this very run',
  'npm ci': 'installs what the tests run with; .ci/run begins with it',
  'npm start': 'a test starts what it starts, dist/run/server.js',
  'NODES=4 REDIS_URL=redis://127.0.0.1:6379 npm start': 'test/several.test.ts starts what it starts',
  'git pull && npm ci': 'the machine that tests has no other version',
  'cp .env.example .env   # and set its secrets': 'there is no Docker here; test/compose.test.ts reads the files',
  'docker compose up': 'there is no Docker here; test/compose.test.ts reads the files',
  'DATA_DIR=/new/place npm start': 'test/journey/restore.test.ts starts a server that was restored',
  'npm run bench -- --url http://localhost:8080 --key $KEY --overlay 1 --p99-push-ms 50':
    'it judges a machine that does nothing else; .ci/run runs the bench',
  'npm run bench -- --match-day --url http://localhost:8080 --key $KEY':
    'test/journey/match-day.test.ts plays the same matches',
}

/** The chapters of a page; what is fenced holds no headings. */
export function chaptersOf(file: string): Chapter[] {
  const chapters: (Chapter & { blocks: string[] })[] = []
  let fence: { mark: string; lines: string[]; shell: boolean } | undefined
  for (const line of readFileSync(join(root, file), 'utf8').split('\n')) {
    if (fence) {
      if (line.trim() !== fence.mark) fence.lines.push(line)
      else {
        if (fence.shell) chapters.at(-1)?.blocks.push(fence.lines.join('\n'))
        fence = undefined
      }
      continue
    }
    const [, mark, language] = /^ *(```+)(\w*)/.exec(line) ?? []
    if (mark) fence = { mark, lines: [], shell: language === 'sh' }
    const [, signs = '', heading] = /^(#+) (.*)$/.exec(line) ?? []
    if (heading) chapters.push({ depth: signs.length, heading, blocks: [] })
  }
  return chapters
}

/** The shell lines of a chapter as a reader copies them, without those that no test types. */
export function commandsOf(file: string, heading: string): string {
  const lines = chaptersOf(file)
    .find((chapter) => chapter.heading === heading)
    ?.blocks.flatMap((text) => text.split('\n'))
  const typed = (lines ?? []).filter((line) => !(line.trim() in UNTYPED))
  if (!typed.some((line) => line.trim())) throw new Error(`${file} shows no commands under "${heading}"`)
  return typed.join('\n')
}

/** A shell function that a chapter defines. */
export function functionOf(file: string, heading: string, name: string): string {
  const found = new RegExp(`^ *${name}\\(\\) \\{(?:.*\\}$|[\\s\\S]*?^ *\\})`, 'm').exec(commandsOf(file, heading))
  if (!found) throw new Error(`${file} defines no ${name}() under "${heading}"`)
  return found[0]
}

/** `fire` of the README, and what every other guide takes from the guide for clients. */
export const functions = () =>
  [
    functionOf('README.md', 'Five minutes', 'fire'),
    ...['tally', 'id', 'text'].map((name) => functionOf('docs/clients.md', 'Four functions', name)),
  ].join('\n')
