import { createServer } from 'node:http'
import { notFound, unavailable } from '../errors.ts'
import type { HttpReply } from '../http/message.ts'
import { refusalByToken } from './metrics-access.ts'

/** More than the monitoring of a server needs. */
const CONNECTIONS = 32
const REQUEST_WITHIN_MS = 5_000

export type MetricsServer = { close(): void }

/** A port for the metrics alone. Rejects when it cannot be had. */
export function listenForMetrics(
  { host, port, token }: { host: string; port: number; token: string | undefined },
  metrics: () => Promise<HttpReply>,
): Promise<MetricsServer> {
  const answerTo = async (path: string, authorization: string): Promise<HttpReply> => {
    if (path !== '/metrics') return errorReply(notFound())
    const refusal = token === undefined ? undefined : refusalByToken(token, authorization)
    return refusal ?? metrics().catch(() => errorReply(unavailable()))
  }
  const server = createServer({ requestTimeout: REQUEST_WITHIN_MS }, async (request, response) => {
    const path = request.url?.split('?')[0] ?? ''
    const { status, headers, body } = await answerTo(path, request.headers.authorization ?? '')
    response.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(body) }).end(body)
  })
  server.maxConnections = CONNECTIONS
  const close = () => {
    server.close()
    server.closeAllConnections()
  }
  return new Promise((resolve, reject) => {
    server.once('error', (error) => reject(new Error(`METRICS_PORT: ${error.message}`)))
    server.listen(port, host, () => resolve({ close }))
  })
}

const errorReply = ({ status, body, headers }: ReturnType<typeof notFound>): HttpReply => ({
  status,
  headers: { 'Content-Type': 'application/json', ...headers },
  body: JSON.stringify(body),
})
