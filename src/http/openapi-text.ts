/** The front of the reference page. */
export const DESCRIPTION = `REST service for the data and graphics of live sports broadcasts.

# Authentication

Every request carries an API key: \`Authorization: Bearer <API_KEY>\` (recommended) or \`x-service-api-key: <API_KEY>\`.
A key belongs to one organization and has scopes of the form \`<resource>:read\` or \`<resource>:write\`; write includes read.

# Beta

An operation marked Beta can change in ways that are otherwise reserved for a new version. Each change is recorded in the
change history, and a removed or renamed field keeps working for at least 30 days after it. Responses of such operations carry
\`X-Service-Beta: true\` and a \`Link\` with \`rel="help"\`.

# Retrying safely

Send an \`Idempotency-Key\` with any POST, PUT or PATCH. The same key with the same request within 24 hours returns the first
response without doing it again; with another request it answers 409.

# Deprecation

A deprecated operation works for at least 12 months after its entry in the change history. Responses of it carry
\`Deprecation\`, since when, and \`Sunset\`, until when it works.

# Changes

The change history is at [/docs/changes](docs/changes), for machines at [/docs/changes.json](docs/changes.json).`

export const OGRAF_DESCRIPTION = `The OGraf Server API of the EBU (draft of 2026-02) as this server speaks it: **Beta**, until that draft is a standard.

A renderer is an overlay, its one render target the picture. A graphic is one of OGraf in the active version of the theme of the overlay.
Errors are problem details (RFC 7807). Keys and limits are those of [the API](docs).`

export const SECURITY = {
  bearer: { type: 'http', scheme: 'bearer', description: 'An API key; works for scoped and legacy keys.' },
  serviceApiKey: { type: 'apiKey', in: 'header', name: 'x-service-api-key', description: 'The legacy header.' },
}

export const PARAMETERS = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description: 'Makes a retry return the first response instead of doing it again; kept for 24 hours.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  },
}

const header = (description: string, example: string) => ({ description, schema: { type: 'string' }, example })

export const ANSWER_HEADERS = {
  'X-Request-Id': header('Names the request in logs; taken from the request when it is a sane token.', 'a1b2c3'),
  RateLimit: header('What is left, while limits are enforced.', '"default";r=299;t=1'),
  'RateLimit-Policy': header('The limits of the key, while they are enforced.', '"default";q=100;w=1'),
  'Retry-After': header('Seconds to wait.', '1'),
  'Idempotency-Replayed': header('`true` when the response is that of an earlier request.', 'true'),
  'X-Service-Beta': header('`true`: the operation is Beta.', 'true'),
  Link: header(
    '`rel="help"`: where Beta is explained; `rel="deprecation"`: the change history.',
    '</docs#beta>; rel="help"',
  ),
  Deprecation: header('Since when the operation is deprecated, in seconds since 1970.', '@1772323200'),
  Sunset: header('When it stops working.', 'Mon, 01 Mar 2027 00:00:00 GMT'),
}
