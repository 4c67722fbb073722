import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { noBurnIn, startedProgram, within } from '../../support/program.ts'

const here = process.platform === 'linux' ? undefined : 'only Linux has 127.0.0.2'

/** A server on every address of this machine that tells how it was asked. */
async function listener(told: (method: string) => void): Promise<number> {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', (bytes) => {
      told(String(bytes).split(' ')[0] ?? '')
      socket.end('HTTP/1.1 204 No Content\r\n\r\n')
    })
  })
  server.listen(0, '0.0.0.0')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}

describe.skipIf(noBurnIn ?? here)('the page of a program', () => {
  test('[issue 5.6] reaches nothing in the network of this server, and what it may only by way of the guard', async () => {
    const asked: string[] = []
    const inside = await listener((method) => asked.push(`inside ${method}`))
    const outside = await listener((method) => asked.push(`outside ${method}`))
    const { page, up, events } = await startedProgram({}, undefined, (address) => address === '127.0.0.9')
    await page.opened(1)
    await up()
    for (const host of ['127.0.0.1', '127.0.0.2', 'localhost', '0.0.0.0']) {
      page.show(`http://${host}:${inside}/v3/config`)
      page.show(`picture http://${host}:${inside}/camera.png`)
    }
    page.show(`picture http://127.0.0.9:${outside}/logo.png`)
    await vi.waitFor(() => expect(asked).toContain('outside GET'), within)
    expect(asked).toEqual(['outside GET'])
    expect(events).toEqual([{ type: 'up' }])
  })
})
