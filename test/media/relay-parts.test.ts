import { describe, expect, test } from 'vitest'
import { addressesNow } from '../../src/media/connect-guard.ts'
import { rtmpPlace, streamUrl } from '../../src/media/pinned-url.ts'
import { relayError } from '../../src/media/relay-error.ts'
import { pushRtmp, pushSrt } from '../../src/media/relay-push.ts'
import { stalledIn } from '../../src/media/socket-stalls.ts'
import { isPublicAddress } from '../../src/store/addresses.ts'

const HERE = '93.184.216.34'

const HERE_ALONE = { address: HERE }
const passage = { port: 40_000 }

const partsOf = (text: string) => {
  const parts = streamUrl(text)
  if (!parts) throw new Error(`not a stream URL: ${text}`)
  return parts
}
const rtmp = (text: string, watched = true) => pushRtmp(partsOf(text), passage, watched)

describe('what ffmpeg is asked for', () => {
  test.each([
    ['rtmp://live.example/app/key?auth=1', 'live.example/app', 1935],
    ['rtmp://live.example:1936/a/b/key', 'live.example:1936/a/b', 1936],
    ['rtmp://live.example/app?token=1/key', 'live.example/app?token=1', 1935],
    ['rtmp://live.example/app?u=http://127.0.0.1/a', 'live.example/app?u=http:/', 1935],
    ['rtmp://live.example/app/mp4:b/c', 'live.example/app', 1935],
    ['rtmp://live.example/ondemand/a/b', 'live.example/ondemand', 1935],
    ['rtmp://live.example/app?slist=a/b', 'live.example/app?slist=a/b', 1935],
    ['rtmp://live.example', 'live.example/', 1935],
    ['rtmp://live.example?a/b/c', 'live.example/a/b', 1935],
    ['rtmp://live.example#a/b', 'live.example/a', 1935],
    ['rtmp://[2606:4700::1111]/app/key', '[2606:4700::1111]/app', 1935],
    ['rtmp://live.example./app/a key{1}', 'live.example./app', 1935],
  ])('[issue 15.7] %s connects to nothing but the passage, and tells the name', (url, named, port) => {
    const rest = url.slice(/^rtmp:\/\/[^/?#]*/.exec(url)?.[0].length)
    const { args } = rtmp(url)
    expect(args.slice(-5)).toEqual([
      ...['-rw_timeout', '5000000', '-rtmp_tcurl', `rtmp://${named}`],
      `rtmp://127.0.0.1:40000${rest}`,
    ])
    expect(rtmpPlace(partsOf(url))).toEqual({ port, tls: null })
  })

  test('[issue 5.4] where no kernel tells of a stall, little may wait in its buffer', () => {
    const url = 'rtmp://live.example/app/key'
    expect(rtmp(url, false).args).toEqual(expect.arrayContaining(['-send_buffer_size', '262144']))
    expect(rtmp(url).args).not.toContain('-send_buffer_size')
  })

  test('[issue 15.7] RTMPS goes the same way, and its TLS is told the name', () => {
    const text = 'rtmps://live.example:4443/app/key?auth=1'
    expect(rtmp(text).args.slice(-3)).toEqual([
      ...['-rtmp_tcurl', 'rtmps://live.example:4443/app', 'rtmp://127.0.0.1:40000/app/key?auth=1'],
    ])
    expect(rtmpPlace(partsOf(text))).toEqual({ port: 4443, tls: 'live.example' })
    expect(rtmpPlace(partsOf('RTMPS://LIVE.example./a/k'))).toEqual({ port: 443, tls: 'live.example' })
    expect(rtmpPlace(partsOf('srt://live.example:9000'))).toBeUndefined()
  })

  test('[issue 5.4] SRT gets stream id and encryption of the URL, its latency in microseconds, and nothing else of it', () => {
    const url =
      'srt://a.example:9000/p?mode=listener&streamid=#!::r=live/one,m=publish&passphrase=not%20told%20to%20anyone&pbkeylen=32&latency=5'
    const call = pushSrt(partsOf(url), HERE_ALONE, { latencyMs: 300 })
    expect(call.url).toBe('srt://93.184.216.34:9000/p?latency=300000&connect_timeout=3000&pkt_size=1316&mode=caller')
    expect(call.args).toEqual([
      ...['-f', 'mpegts', '-srt_streamid', '#!::r=live/one,m=publish'],
      ...['-passphrase', 'not told to anyone', '-pbkeylen', '32', call.url],
    ])
    expect(call.secrets).toEqual(['#!::r=live/one,m=publish', 'not told to anyone'])
    const soon = pushSrt(partsOf('srt://a.example:9000/'), HERE_ALONE, { latencyMs: 20 })
    expect(soon.url).toContain('latency=120000')
    const six = pushSrt(partsOf('srt://a.example:9000'), { address: '2a00::1' }, { latencyMs: 200 })
    expect(six.url).toMatch(/^srt:\/\/\[2a00::1\]:9000\?/)
  })

  test.each([
    'rtmp://a@b:c@host/app',
    'rtmp://me:word@live.example/app/key',
    'rtmps://me@live.example/app',
    'srt://me@a.example:9000',
    'http://me:word@a.example/a.m3u8',
    'rtmp://:@a.example/',
    'RTMP://@a.example/',
    'nonsense',
    'rtmp:///app',
  ])('[issue 15.7] %s is no stream URL', (url) => {
    expect(streamUrl(url)).toBeUndefined()
  })

  test('[issue 15.7] a key behind the host may hold what it likes', () => {
    expect(streamUrl('rtmp://a.example/app/key@home')).toMatchObject({ host: 'a.example', rest: '/app/key@home' })
    expect(rtmp('rtmp://a.example?@127.0.0.1/a').url).toBe('rtmp://127.0.0.1:40000?@127.0.0.1/a')
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
    for (const found of [['10.0.0.1'], [HERE, '127.0.0.1'], ['::1'], ['::ffff:10.0.0.1'], ['fe80::1%eth0']])
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
  const line = (port: number, more: string) =>
    `0 1538190 127.0.0.1:${port} 93.184.216.34:1935 timer:(persist,3.508ms,0) ts sack ${more}`
  const text = [
    line(1, 'lastsnd:3516 lastrcv:964 rcv_space:65495 notsent:1538190 minrtt:0.005'),
    line(2, 'lastsnd:2996 rcv_space:65495 notsent:1538190'),
    line(3, 'lastsnd:60000 rcv_space:65495'),
    line(4, 'lastsnd:4 notsent:90'),
    '0      77  [2a00::1]:51394   [2a00::2]:443 lastsnd:4000 notsent:90',
    '',
  ].join('\n')
  expect(stalledIn(text)).toEqual([1, 51_394])
})
