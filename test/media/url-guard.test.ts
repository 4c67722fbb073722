import { expect, test } from 'vitest'
import { refusedUrl } from '../../src/media/url-guard.ts'
import { isPublicAddress } from '../../src/store/addresses.ts'
import { anyAddress } from '../../src/store/outbound.ts'

const refused = (url: string) => refusedUrl(url, isPublicAddress) !== undefined

test.each([
  'rtmp://127.0.0.1/live/key',
  'rtmp://127.1/live/key',
  'rtmp://2130706433/live/key',
  'rtmp://0x7f.1/live/key',
  'rtmp://0177.0.0.1/live/key',
  'rtmp://[::1]/live/key',
  'srt://[::ffff:127.0.0.1]:9000',
  'http://169.254.169.254/latest/meta-data',
  'http://10.0.0.8/video.m3u8',
  'rtmps://user:secret@192.168.1.4/app',
  'rtmp://localhost/live/key',
  'rtmp://localhost./live/key',
  'rtmp://LOCALHOST/live/key',
  'rtmp://database/live/key',
  'http://metadata.google.internal/',
  'rtmp://camera.local/live',
])('[issue 5.3] %s leads into our own network and is refused', (url) => {
  expect(refused(url)).toBe(true)
  expect(refusedUrl(url, anyAddress)).toBeUndefined()
})

test.each([
  'rtmp://a.rtmp.youtube.com/live2/key',
  'rtmps://live-api-s.facebook.com:443/rtmp/',
  'srt://203.0.114.9:9000?streamid=a',
  'https://video.example.com/hls/index.m3u8',
  'rtmp://[2606:4700::1111]/live/key',
])('[issue 5.4] %s is on the public internet', (url) => {
  expect(refusedUrl(url, isPublicAddress)).toBeUndefined()
})

test.each(['nonsense', 'rtmp:///live/key', 'rtmp://', 'rtmp://a%00b/live'])('%s has no host', (url) => {
  expect(refused(url)).toBe(true)
})
