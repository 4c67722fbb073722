import { z } from 'zod'
import { COPIES, commands, docsPage, escaped, marked } from './docs-frame.ts'

type Schema = {
  $ref?: string | undefined
  type?: unknown
  const?: unknown
  enum?: unknown[] | undefined
  description?: string | undefined
  properties?: Record<string, Schema> | undefined
  required?: string[] | undefined
  items?: Schema | undefined
  anyOf?: Schema[] | undefined
  additionalProperties?: Schema | boolean | undefined
}

const Schema: z.ZodType<Schema> = z.lazy(() =>
  z.object({
    $ref: z.string().optional(),
    type: z.unknown().optional(),
    const: z.unknown().optional(),
    enum: z.array(z.unknown()).optional(),
    description: z.string().optional(),
    properties: z.record(z.string(), Schema).optional(),
    required: z.array(z.string()).optional(),
    items: Schema.optional(),
    anyOf: z.array(Schema).optional(),
    additionalProperties: z.union([z.boolean(), Schema]).optional(),
  }),
)

/** As much of an AsyncAPI 3 document as the page shows. */
const Document = z.object({
  info: z.object({ version: z.string(), description: z.string() }),
  servers: z.object({ main: z.object({ host: z.string(), protocol: z.string(), pathname: z.string().default('') }) }),
  channels: z.record(
    z.string(),
    z.object({
      address: z.string(),
      title: z.string(),
      description: z.string(),
      parameters: z.record(z.string(), z.object({ description: z.string() })),
      messages: z.record(z.string(), z.unknown()),
      bindings: z.object({ ws: z.object({ query: Schema }) }),
    }),
  ),
  components: z.object({
    messages: z.record(z.string(), z.object({ name: z.string(), summary: z.string(), payload: Schema })),
    schemas: z.record(z.string(), Schema),
  }),
})
type Document = z.output<typeof Document>

const listed = (names: readonly string[]) => names.map((name) => `<a href="#${name}">${name}</a>`).join(', ')

/** The sockets for people, made of the AsyncAPI document that machines read. */
export function livePage(document: object): string {
  const api = Document.parse(document)
  const { protocol, host, pathname } = api.servers.main
  const origin = `${protocol}://${host}${pathname}`
  const named = Object.keys(api.components.schemas)
  const contents = [
    '<p>Sockets</p>',
    ...Object.entries(api.channels).map(([name, { title }]) => `<li><a href="#${name}">${escaped(title)}</a></li>`),
    '<p>Messages</p>',
    ...Object.keys(api.components.messages).map((name) => `<li><a href="#${name}">${name}</a></li>`),
    '<p>Parts</p>',
    ...named.map((name) => `<li><a href="#${name}">${name}</a></li>`),
  ]
  const body = [
    proseOf(api.info.description),
    ...Object.entries(api.channels).map(([name, channel]) => channelOf(name, channel, origin)),
    '<h2 id="messages">Messages</h2>',
    ...Object.values(api.components.messages).map(({ name, summary, payload }) => {
      const { payload: inside } = payload.properties ?? {}
      return `<section class="entry"><h3 id="${name}"><code>${name}</code></h3><p>${marked(summary)}.</p>${inside ? tableOf(inside) : ''}</section>`
    }),
    '<h2 id="parts">Parts of messages</h2>',
    ...named.map((name) => {
      const schema = api.components.schemas[name] ?? {}
      const says = schema.description ? `<p>${marked(schema.description)}</p>` : ''
      return `<section class="entry"><h3 id="${name}"><code>${name}</code></h3>${says}${tableOf(schema)}</section>`
    }),
  ]
  return docsPage({
    name: 'live',
    title: 'Live sockets',
    lead: `<p>Hear what is on air in the moment it is durable. The machine-readable description, AsyncAPI 3, is
<a href="../rest/asyncapi.json">asyncapi.json</a>, version ${escaped(api.info.version)}.</p>`,
    aside: `<ol class="contents">${contents.join('\n').replace(/<p>(.*?)<\/p>/g, '<li class="group">$1</li>')}</ol>`,
    body: body.join('\n'),
    scripts: COPIES,
  })
}

function channelOf(name: string, channel: Document['channels'][string], origin: string): string {
  const { address, title, description, parameters, messages, bindings } = channel
  const rows = [
    ...Object.entries(parameters).map(([key, { description: says }]) => [`{${key}}`, says]),
    ...Object.entries(bindings.ws.query.properties ?? {}).map(([key, schema]) => [
      `?${key}=`,
      schema.description ?? '',
    ]),
  ].map(([key = '', says = '']) => `<tr><td><code>${escaped(key)}</code></td><td>${marked(says)}</td></tr>`)
  return `<section class="entry"><h2 id="${name}">${escaped(title)}</h2><p>${marked(description)}</p>
${commands(`${origin}${address}`)}
<div class="scrolls" tabindex="0"><table><tbody>${rows.join('')}</tbody></table></div>
<p>Messages: ${listed(Object.keys(messages))}.</p></section>`
}

/** The members of an object; of a choice, those of each of its objects. */
function tableOf(schema: Schema): string {
  if (schema.anyOf) return schema.anyOf.map(tableOf).join('<p>or</p>')
  if (!schema.properties) return `<p>${typeOf(schema)}</p>`
  const required = new Set(schema.required)
  const rows = Object.entries(schema.properties).map(([name, member]) => {
    const optional = required.has(name) ? '' : ' <small>optional</small>'
    return `<tr><td><code>${escaped(name)}</code>${optional}</td><td>${typeOf(member)}</td><td>${marked(member.description ?? '')}</td></tr>`
  })
  return `<div class="scrolls" tabindex="0"><table><thead><tr><th>Member</th><th>Type</th><th>What it says</th></tr></thead><tbody>${rows.join('')}</tbody></table></div>`
}

function typeOf(schema: Schema): string {
  const { $ref, items, anyOf, enum: values, additionalProperties, properties } = schema
  if ($ref !== undefined) {
    const name = $ref.split('/').at(-1) ?? ''
    return `<a href="#${name}">${name}</a>`
  }
  if (schema.const !== undefined) return `<code>${escaped(JSON.stringify(schema.const))}</code>`
  if (values) return values.map((value) => `<code>${escaped(JSON.stringify(value))}</code>`).join(' or ')
  if (anyOf) return anyOf.map(typeOf).join(' or ')
  if (items) return `list of ${typeOf(items)}`
  if (properties)
    return `object of ${Object.keys(properties)
      .map((name) => `<code>${escaped(name)}</code>`)
      .join(', ')}`
  if (typeof additionalProperties === 'object') return `object of ${typeOf(additionalProperties)} by name`
  const type = Array.isArray(schema.type) ? schema.type.join(' or ') : schema.type
  return typeof type === 'string' ? escaped(type) : 'any'
}

/** The little Markdown that descriptions are written in: headings, numbered lists, paragraphs, code and stress. */
function proseOf(text: string): string {
  const blocks = text.trim().split(/\n{2,}/)
  return blocks
    .map((block) => {
      if (block.startsWith('# ')) return `<h2>${marked(block.slice(2))}</h2>`
      if (/^1\. /.test(block)) {
        const items = block.split(/\n(?=\d+\. )/).map((item) => `<li>${marked(item.replace(/^\d+\. /, ''))}</li>`)
        return `<ol>${items.join('')}</ol>`
      }
      return `<p>${marked(block)}</p>`
    })
    .join('\n')
}
