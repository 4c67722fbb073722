import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { isLocalNetwork, refusedObs } from '../../src/obs/address.ts'
import { authentication, ObsError, refreshSources } from '../../src/obs/client.ts'
import { guarded } from '../../src/store/outbound.ts'
import { obsDouble } from '../support/obs.ts'

const KEY = '3bf83a74-7a8f-4a52-9d0c-0a1b2c3d4e5f'
const browser = (inputName: string, url: string) => ({
  inputName,
  inputKind: 'browser_source',
  inputSettings: { url, width: 1920, height: 1080 },
})
const INPUTS = [
  browser('Graphics', `http://studio:8080/overlay/${KEY}`),
  browser('Chat', 'https://chat.example/'),
  browser('Graphics, replay scene', `http://192.168.1.2:8080/overlay/${KEY}?renderer=replay`),
  { inputName: 'Camera', inputKind: 'v4l2_input', inputSettings: {} },
  { inputName: 'A file', inputKind: 'browser_source', inputSettings: { is_local_file: true } },
]
const anywhere = guarded({ permits: () => true })
const isOurs = (url: string) => url.includes(KEY)

async function obs(options: Parameters<typeof obsDouble>[0]) {
  const double = await obsDouble({ inputs: INPUTS, ...options })
  onTestFinished(double.close)
  return double
}

const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) => error as ObsError,
  )

describe('[issue 20.8] OBS by obs-websocket 5', () => {
  test('the password is proven as the protocol says', () => {
    // the values of its own documentation
    const challenge = '+IxH4CnCiqpX1rM9scsNynZzbOe4KhDeYcTNS3PDaeY='
    const salt = 'lM1GncleQOaCu9lT1yeUZhFYnqhsLLP1G5lAGo3ixaI='
    expect(authentication('supersecretpassword', { challenge, salt })).toBe(
      '1Ct943GAT+6YQUUX47Ia/ncufilbe6+oD6lY+5kaCu4=',
    )
  })

  test.each([
    ['with a password', 'right'],
    ['without one', undefined],
  ])('%s, the browser sources that show the overlay are refreshed and no others', async (_, password) => {
    const double = await obs(password === undefined ? {} : { password })
    const names = await refreshSources({ url: double.url, password: 'right' }, isOurs, anywhere)
    expect(names).toEqual(['Graphics', 'Graphics, replay scene'])
    expect(double.refreshed()).toEqual(names)
  })

  test('a wrong password, and one that is missing, are told and not tried again', async () => {
    const double = await obs({ password: 'right' })
    const refused = await failure(refreshSources({ url: double.url, password: 'wrong' }, isOurs, anywhere))
    expect(refused).toMatchObject({ message: 'OBS refused the password', again: false })
    const missing = await failure(refreshSources({ url: double.url, password: null }, isOurs, anywhere))
    expect(missing).toMatchObject({ message: 'OBS asks for a password, and none is set', again: false })
    expect(double.asked).toEqual([])
  })

  test.each([[true], ['after']] as const)('one that never answers ends in time (silent: %s)', async (silent) => {
    const double = await obs({ password: 'right', silent })
    const error = await failure(refreshSources({ url: double.url, password: 'right' }, isOurs, anywhere, 200))
    expect(error).toMatchObject({ message: 'OBS did not answer within 0.2 s', again: true })
  })

  test('one that is gone is told without its address spelled out', async () => {
    const double = await obsDouble()
    await double.close()
    const error = await failure(refreshSources({ url: double.url, password: null }, isOurs, anywhere))
    expect(error).toBeInstanceOf(ObsError)
    expect(error).toMatchObject({ message: `Cannot reach ${new URL(double.url).host}: ECONNREFUSED`, again: true })
  })

  test.each(['hello', '{"op":0,"d":7}', '{"op":"x"}'])('what says %s is no OBS', async (greeting) => {
    const double = await obs({ greeting })
    const error = await failure(refreshSources({ url: double.url, password: null }, isOurs, anywhere))
    expect(error).toMatchObject({ message: 'What answers there is no obs-websocket', again: false })
  })

  test('a web server is no OBS, and where it redirects to is not followed', async () => {
    const double = await obs({})
    const server = createServer((_, response) => response.writeHead(302, { location: double.url }).end())
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`
    const error = await failure(refreshSources({ url, password: null }, isOurs, anywhere))
    expect(error).toMatchObject({ message: 'What answers there is no obs-websocket' })
    expect(double.connections()).toBe(0)
  })

  test('a name that leads to this machine is not connected to', async () => {
    const double = await obs({})
    const resolve = (_: string, __: unknown, done: (error: null, addresses: object[]) => void) =>
      done(null, [{ address: '127.0.0.1', family: 4 }])
    const guard = guarded({ permits: isLocalNetwork, resolve: resolve as never, allowed: 'of a local network' })
    const url = `ws://obs.example:${new URL(double.url).port}`
    const error = await failure(refreshSources({ url, password: null }, isOurs, guard))
    expect(error).toMatchObject({
      message: 'obs.example is not an address of a local network; OUTBOUND_PRIVATE=on allows it',
      again: false,
    })
    expect(double.connections()).toBe(0)
  })

  test.each([
    ['ws://192.168.1.20:4455', true],
    ['ws://10.1.2.3', true],
    ['ws://172.31.0.9:4455', true],
    ['ws://100.101.102.103:4455', true],
    ['ws://[fd12:3456::1]:4455', true],
    ['ws://obs-pc:4455', true],
    ['ws://obs.local:4455', true],
    ['wss://8.8.8.8', true],
    ['ws://127.0.0.1:4455', false],
    ['ws://2130706433:4455', false],
    ['ws://[::1]:4455', false],
    ['ws://[::ffff:127.0.0.1]', false],
    ['ws://localhost:4455', false],
    ['ws://LOCALHOST.:4455', false],
    ['ws://169.254.169.254', false],
    ['ws://[fe80::1]', false],
    ['ws://0.0.0.0', false],
    ['ws://224.0.0.1', false],
  ])('%s may be an OBS: %s', (url, may) => {
    const isPublic = (text: string) => (text.includes('8.8.8.8') ? undefined : 'not public')
    expect(refusedObs(url, isPublic) === undefined).toBe(may)
  })
})
