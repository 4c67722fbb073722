// Types of REST and of the sockets out of the documents that the server serves, then the client itself into dist/. Run after the
// server was built: `npm run build && npm run build -w clients/typescript`.
import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import openapiTS, { astToString } from 'openapi-typescript'

const here = dirname(fileURLToPath(import.meta.url))
const root = join(here, '../..')
const built = (path) => import(pathToFileURL(join(root, 'dist/src', path)).href)

/** Clients throw for what is no success, and the same headers stand beside every answer: neither is a type of its own. */
function withSuccessesOnly(document) {
  for (const operations of Object.values(document.paths))
    for (const operation of Object.values(operations)) {
      const { responses = {} } = operation
      for (const [status, answer] of Object.entries(responses)) {
        if (!status.startsWith('2')) delete responses[status]
        else delete answer.headers
      }
      // the client makes it, or takes it as `idempotencyKey`
      operation.parameters = operation.parameters?.filter(({ $ref = '' }) => !$ref.endsWith('/IdempotencyKey'))
    }
  return document
}

/** The messages of a socket as the schemas of a document, since that is what the generator reads. */
function schemasOf({ components: { messages, schemas } }) {
  const payloads = Object.fromEntries(Object.entries(messages).map(([type, { payload }]) => [type, payload]))
  return {
    openapi: '3.1.0',
    info: { title: 'sockets', version: '1' },
    paths: {},
    components: { schemas: { ...schemas, ...payloads } },
  }
}

const [{ openapi }, { routes }, { changelog }, { asyncapi }] = await Promise.all(
  ['http/openapi.js', 'resources/index.js', 'changelog.js', 'realtime/asyncapi.js'].map(built),
)
const publicUrl = 'http://localhost:8080'
const documents = {
  rest: withSuccessesOnly(JSON.parse(JSON.stringify(openapi(routes, { publicUrl, changes: changelog })))),
  live: schemasOf(JSON.parse(JSON.stringify(asyncapi({ publicUrl, version: '1' })))),
}

const generated = join(here, 'src/generated')
mkdirSync(generated, { recursive: true })
for (const [name, document] of Object.entries(documents)) {
  const types = astToString(await openapiTS(document, { alphabetize: true, immutable: false }))
  writeFileSync(join(generated, `${name}.ts`), `// Made by build.mjs; do not change it here.\n${types}`)
}

rmSync(join(here, 'dist'), { recursive: true, force: true })
const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc')
execFileSync(process.execPath, [tsc, '-p', here], { stdio: 'inherit' })
copyFileSync(join(root, 'LICENSE'), join(here, 'LICENSE'))
