import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { describe, expect, test } from 'vitest'
import { openGuardedProxy } from '../../src/media/guarded-proxy.ts'
import { tcpServer } from '../support/media.ts'

describe('the proxy by which sources are pulled', () => {
  test.each(['000', '099', '101'])(
    '[issue 5.3] a source that answers with the status %s harms nobody',
    async (status) => {
      const port = await tcpServer((socket) =>
        socket.once('data', () => socket.end(`HTTP/1.1 ${status} X\r\nContent-Length: 0\r\n\r\n`)),
      )
      const { hostname, port: proxyPort } = new URL(await openGuardedProxy(() => true))
      const asked = request({
        hostname,
        port: proxyPort,
        path: `http://127.0.0.1:${port}/live.m3u8`,
        agent: false,
      }).end()
      const [answer]: IncomingMessage[] = await once(asked, 'response')
      expect(answer?.statusCode).toBe(502)
      answer?.resume()
    },
  )
})
