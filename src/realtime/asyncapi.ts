import { z } from 'zod'
import { DESCRIPTION, MESSAGES, SOCKETS } from './asyncapi-text.ts'
import { deskMessages } from './desks.ts'
import { liveMessages } from './followers/live-protocol.ts'
import {
  Answered,
  GraphicUpdate,
  Hello,
  LoadGraphic,
  Played,
  PrepareGraphic,
  Problems,
  Ready,
} from './renderers/protocol.ts'

type Json = Record<string, unknown>

const ref = (...path: string[]) => ({ $ref: `#/${path.join('/')}` })

const enveloped = (type: string, payload: z.ZodType) => z.object({ type: z.literal(type), payload })

const followed = Object.fromEntries(
  Object.entries(liveMessages).map(([type, payload]) => [type, enveloped(type, payload)]),
)
const atDesks = Object.fromEntries(
  Object.entries(deskMessages).map(([type, payload]) => [type, enveloped(type, payload)]),
)
const rendered = {
  HELLO: Hello,
  LOAD_GRAPHIC: LoadGraphic,
  GRAPHIC_UPDATE: GraphicUpdate,
  PREPARE_GRAPHIC: PrepareGraphic,
}
const said = { READY: Ready, PROBLEMS: Problems, PLAYED: Played, ANSWER: Answered }
const all: Readonly<Record<string, z.ZodType>> = { ...followed, ...atDesks, ...rendered, ...said }

/** The schemas of all messages by their type, and the named ones that they refer to. */
function schemas(): { payloads: Json; named: Json } {
  const { definitions, properties } = z.toJSONSchema(z.object(all), {
    target: 'draft-7',
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      // followers ignore members that they do not know, so that members can be added
      delete jsonSchema.additionalProperties
      delete jsonSchema.id
    },
  })
  const placed = (value: unknown): Json =>
    JSON.parse(JSON.stringify(value ?? {}).replaceAll('"#/definitions/', '"#/components/schemas/'))
  return { payloads: placed(properties), named: placed(definitions) }
}

function message(name: string, payload: unknown) {
  const summary = MESSAGES[name]
  if (summary === undefined) throw new Error(`asyncapi: nothing is said about ${name}`)
  return { name, title: name, summary, contentType: 'application/json', payload }
}

const KEYS = ['bearer', 'serviceApiKey']

/** `key`: by an API key in a header; else the address itself is the secret. */
type Channel = {
  address: string
  parameter: string
  describes: string
  sends: Json
  receives?: Json
  key?: boolean
  query: Json
}

const resumes = {
  cursor: { type: 'string', description: 'Of the newest message that was heard: what happened since comes first' },
}

const channels: Readonly<Record<keyof typeof SOCKETS, Channel>> = {
  overlay: {
    address: '/rest/v2/overlays/{overlayId}/socket',
    parameter: 'overlayId',
    describes: 'The id of an overlay of the organization of the key',
    sends: followed,
    key: true,
    query: resumes,
  },
  controlPage: {
    address: '/control/{token}/socket',
    parameter: 'token',
    describes: "The last part of the overlay's `controlRoomUrl`",
    sends: followed,
    query: resumes,
  },
  monitoringPage: {
    address: '/monitor/{token}/socket',
    parameter: 'token',
    describes: "The last part of the overlay's `monitoringUrl`",
    sends: followed,
    query: resumes,
  },
  desk: {
    address: '/desk/{token}/socket',
    parameter: 'token',
    describes: "The last part of the match's `deskUrl`",
    sends: atDesks,
    query: {},
  },
  renderer: {
    address: '/overlay/{key}/socket',
    parameter: 'key',
    describes: "The overlay's `key`",
    sends: rendered,
    receives: said,
    query: {
      bus: {
        type: 'string',
        enum: ['preview'],
        description:
          'Beta. The picture as it will be after the take, in the same messages: what looks at it is no renderer, its paints are not counted, and at most 500 may',
      },
      caughtUp: {
        type: 'integer',
        enum: [1],
        description:
          'HELLO again behind the answer to READY: what came before it was on air already. Until then heartbeats are `PULSE`',
      },
      heartbeat: {
        type: 'integer',
        minimum: 1,
        maximum: 60,
        description: 'HELLO again after this many seconds of silence',
      },
      layers: {
        type: 'string',
        description: 'Names or ids of the only graphics that it shows, with commas: it is sent all',
      },
      problems: {
        type: 'integer',
        enum: [1],
        description: 'It may say `PROBLEMS`; else that closes the socket with 1008, as any unknown message',
      },
      renderer: { type: 'string', maxLength: 64, description: 'A name for the as-run log and the monitoring page' },
    },
  },
}

const messagesOf = (messages: Json) => Object.keys(messages)

const channelOf = (name: keyof typeof SOCKETS, { address, parameter, describes, sends, receives, query }: Channel) => ({
  address,
  title: SOCKETS[name].title,
  description: SOCKETS[name].description,
  parameters: { [parameter]: { description: describes } },
  messages: Object.fromEntries(
    messagesOf({ ...sends, ...receives }).map((type) => [type, ref('components', 'messages', type)]),
  ),
  bindings: { ws: { method: 'GET', query: { type: 'object', properties: query } } },
})

function operationsOf(name: string, { sends, receives, key }: Channel): [string, Json][] {
  const operation = (action: 'send' | 'receive', messages: Json) => ({
    action,
    channel: ref('channels', name),
    messages: messagesOf(messages).map((type) => ref('channels', name, 'messages', type)),
    ...(key && { security: KEYS.map((scheme) => ref('components', 'securitySchemes', scheme)) }),
  })
  return [
    [`${name}Sends`, operation('send', sends)],
    ...(receives ? [[`${name}Receives`, operation('receive', receives)] satisfies [string, Json]] : []),
  ]
}

/**
 * The AsyncAPI 3 document of the sockets, made of the schemas that the server itself goes by. `publicUrl` is without a trailing
 * slash.
 */
export function asyncapi({ publicUrl, version }: { publicUrl: string; version: string }): Json {
  const { protocol, host, pathname } = new URL(publicUrl)
  const { payloads, named } = schemas()
  const entries = Object.entries(channels) as [keyof typeof SOCKETS, Channel][]
  return {
    asyncapi: '3.0.0',
    info: { title: 'Tally sockets', version, description: DESCRIPTION },
    defaultContentType: 'application/json',
    servers: {
      main: {
        host,
        protocol: protocol === 'https:' ? 'wss' : 'ws',
        ...(pathname !== '/' && { pathname }),
        description: 'This server',
      },
    },
    channels: Object.fromEntries(entries.map(([name, channel]) => [name, channelOf(name, channel)])),
    operations: Object.fromEntries(entries.flatMap(([name, channel]) => operationsOf(name, channel))),
    components: {
      messages: Object.fromEntries(Object.keys(all).map((type) => [type, message(type, payloads[type])])),
      schemas: named,
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'An API key with `overlays:read`' },
        serviceApiKey: {
          type: 'httpApiKey',
          in: 'header',
          name: 'x-service-api-key',
          description: 'The legacy header',
        },
      },
    },
  }
}
