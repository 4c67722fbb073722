import { describe, expect, test } from 'vitest'
import { addressesNow } from '../../src/media/connect-guard.ts'
import { relayError } from '../../src/media/relay-error.ts'
import { pushCall } from '../../src/media/relay-push.ts'
import { stalledIn } from '../../src/media/socket-stalls.ts'
import { isPublicAddress } from '../../src/store/addresses.ts'

const HERE = '93.184.216.34'

describe('what ffmpeg is asked for', () => {
  test('[issue 5.4] RTMP connects to the address that was checked and tells the name, with a limit on every answer', () => {
    const call = pushCall({ protocol: 'rtmp', url: 'rtmp://live.example/app/key?auth=1', latencyMs: 200 }, HERE, true)
    expect(call.args.slice(-5)).toEqual([
      ...['-rw_timeout', '5000000', '-rtmp_tcurl', 'rtmp://live.example/app'],
      'rtmp://93.184.216.34/app/key?auth=1',
    ])
    expect(call.tcpPort).toBe(1935)
    const instance = pushCall(
      { protocol: 'rtmp', url: 'rtmp://me:word@live.example:1936/a/b/key', latencyMs: 0 },
      '2a00::1',
      true,
    )
    expect(instance.args.slice(-2)).toEqual(['rtmp://live.example:1936/a/b', 'rtmp://me:word@[2a00::1]:1936/a/b/key'])
    expect(instance.tcpPort).toBe(1936)
    const asked = 'rtmp://live.example/app?token=1/key'
    expect(pushCall({ protocol: 'rtmp', url: asked, latencyMs: 0 }, HERE, true).args.slice(-2)).toEqual([
      '5000000',
      asked,
    ])
  })

  test('[issue 5.4] where no kernel tells of a stall, little may wait in its buffer', () => {
    const target = { protocol: 'rtmp', url: 'rtmp://live.example/app/key', latencyMs: 200 } as const
    expect(pushCall(target, HERE, false).args).toEqual(expect.arrayContaining(['-send_buffer_size', '262144']))
    expect(pushCall(target, HERE, true).args).not.toContain('-send_buffer_size')
  })

  test('[issue 5.4] RTMPS keeps the name, which its TLS tells', () => {
    const url = 'rtmps://live.example:4443/app/key?auth=1'
    expect(pushCall({ protocol: 'rtmps', url, latencyMs: 200 }, HERE, true)).toMatchObject({ url, tcpPort: 4443 })
    expect(pushCall({ protocol: 'rtmps', url: 'rtmps://live.example/a/k', latencyMs: 0 }, HERE, true).tcpPort).toBe(443)
  })

  test('[issue 5.4] SRT gets stream id and encryption of the URL, its latency in microseconds, and nothing else of it', () => {
    const url =
      'srt://a.example:9000?mode=listener&streamid=#!::r=live/one,m=publish&passphrase=not%20told%20to%20anyone&pbkeylen=32&latency=5'
    const call = pushCall({ protocol: 'srt', url, latencyMs: 300 }, HERE, true)
    expect(call.url).toBe('srt://93.184.216.34:9000?latency=300000&connect_timeout=3000&pkt_size=1316&mode=caller')
    expect(call.args).toEqual([
      ...['-f', 'mpegts', '-srt_streamid', '#!::r=live/one,m=publish'],
      ...['-passphrase', 'not told to anyone', '-pbkeylen', '32', call.url],
    ])
    expect(call.secrets).toEqual(['#!::r=live/one,m=publish', 'not told to anyone'])
    expect(call.tcpPort).toBeNull()
    const soon = pushCall({ protocol: 'srt', url: 'srt://a.example:9000/', latencyMs: 20 }, HERE, true)
    expect(soon.url).toContain('latency=120000')
  })
})

describe('a name that is resolved before it is connected to', () => {
  const resolves =
    (...addresses: string[]) =>
    async () =>
      addresses.map((address) => ({ address }))
  const url = 'rtmp://live.example/app/secret-key'
  const refusal = { refused: expect.stringContaining('OUTBOUND_PRIVATE') }

  test('[issue 5.4] may lead to the public internet only', async () => {
    const addresses = [{ address: HERE, family: 4 }]
    expect(await addressesNow(url, isPublicAddress, resolves(HERE))).toEqual({ addresses })
    for (const found of [['10.0.0.1'], [HERE, '127.0.0.1'], ['::1'], ['::ffff:10.0.0.1']])
      expect(await addressesNow(url, isPublicAddress, resolves(...found))).toEqual(refusal)
    expect(await addressesNow('rtmp://127.0.0.1/app/key', isPublicAddress)).toEqual(refusal)
    const own = { addresses: [{ address: '127.0.0.1', family: 4 }] }
    expect(await addressesNow('rtmp://127.0.0.1/app/key', () => true)).toEqual(own)
  })

  test('[issue 5.4] may lead nowhere, which is told without the name', async () => {
    const unknown = { refused: 'The host name is unknown' }
    expect(await addressesNow(url, isPublicAddress, resolves())).toEqual(unknown)
    const failing = () => Promise.reject(new Error('queryA ENOTFOUND live.example'))
    expect(await addressesNow(url, isPublicAddress, failing)).toEqual(unknown)
  })
})

describe('why a relay ended, for people', () => {
  const cases = {
    'The destination refused the connection': [
      '[tcp @ 0x55d] Connection to tcp://… failed: Connection refused',
      'the destination: Connection refused',
    ],
    'The host name of the destination is unknown': [
      '[tcp @ 0x559] Failed to resolve hostname a.invalid: Name or service not known',
      'the destination: Input/output error',
    ],
    'The destination did not answer in time': ['the destination: Connection timed out'],
    'The destination did not accept the SRT connection': [
      '[srt @ 0x55e] Connection to the destination failed: Input/output error',
      'the destination: Input/output error',
    ],
    'There was no video to send': ['the source: Input/output error'],
    'The destination refused: NetStream.Publish.BadName': ['[rtmp @ 0x1] Server error: NetStream.Publish.BadName'],
  }
  test.each(Object.entries(cases))('[issue 5.4] %s', (reason, lines) => {
    expect(relayError(lines, false)).toBe(reason)
  })

  test('[issue 5.4] a connection that is closed may mean a wrong key only before any video was taken', () => {
    const lines = ['av_interleaved_write_frame(): Broken pipe', 'Error writing trailer of the destination: Broken pipe']
    expect(relayError(lines, false)).toContain('check its stream key')
    expect(relayError(lines, true)).toBe('The destination closed the connection')
    expect(relayError([], false)).toContain('check its stream key')
    expect(relayError(['[flv @ 0x1] Unsupported codec'], true)).toBe(
      'The connection ended: [flv @ 0x1] Unsupported codec',
    )
  })
})

test('[issue 5.4] a socket that has data and sent none for three seconds is stalled', () => {
  const line = (ino: number, more: string) =>
    `0 1538190 127.0.0.1:51394 127.0.0.1:29400 timer:(persist,3.508ms,0) ino:${ino} sk:167c <-> ts sack ${more}`
  const text = [
    line(1, 'lastsnd:3516 lastrcv:964 rcv_space:65495 notsent:1538190 minrtt:0.005'),
    line(2, 'lastsnd:2996 rcv_space:65495 notsent:1538190'),
    line(3, 'lastsnd:60000 rcv_space:65495'),
    line(4, 'lastsnd:4 notsent:90'),
    '',
  ].join('\n')
  expect(stalledIn(text)).toEqual(['1'])
})
