type Json = Record<string, unknown>

const HEADERS = {
  'webhook-id': 'Of the event: the same on every attempt, redelivery and replay, and at every webhook',
  'webhook-timestamp': 'Of this attempt, in seconds since 1970',
  'webhook-signature':
    '`v1,` and the HMAC-SHA256 of id, timestamp and body, in base64; two of them for 24 hours after the secret was rotated',
}

/** A definition of a body that stood alone, from the root of the description. */
function placed(schema: Json, type: string): unknown {
  const own = `#/webhooks/${type}/post/requestBody/content/application~1json/schema/$defs/`
  return JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/$defs/', `"$ref":"${own}`))
}

const words = (type: string) => type.split(/[._]/)

/** The section `webhooks` of the description: what comes to an address of `/v2/webhooks`, by type of event. `bodies`: JSON Schemas of the whole bodies. */
export const openapiWebhooks = (bodies: Readonly<Record<string, Json>>): Json =>
  Object.fromEntries(
    Object.entries(bodies).map(([type, { $schema: _, ...schema }]) => [
      type,
      {
        post: {
          operationId: `told${words(type)
            .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
            .join('')}`,
          summary: type,
          description: '**Beta.** Signed as Standard Webhooks 1.0, and delivered at least once.',
          tags: ['webhooks'],
          security: [],
          parameters: Object.entries(HEADERS).map(([name, description]) => ({
            ...{ name, in: 'header', required: true, description, schema: { type: 'string' } },
          })),
          requestBody: { required: true, content: { 'application/json': { schema: placed(schema, type) } } },
          responses: {
            '2XX': { description: 'Taken, within 15 seconds' },
            '410': { description: 'No more of it: the webhook is disabled' },
            default: { description: 'Not taken: tried again' },
          },
        },
      },
    ]),
  )
