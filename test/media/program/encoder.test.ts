import { describe, expect, test } from 'vitest'
import type { ProgramSpec } from '../../../src/media/ports.ts'
import { encoderArgs } from '../../../src/media/program/encoder.ts'
import { describe as describeSource, type Source } from '../../../src/media/program/source.ts'

const HD: Source = { video: { width: 1280, height: 720, matrix: undefined }, audio: true }
const spec: ProgramSpec = {
  ...{ streamId: 1, run: 1, readUrl: 'rtmp://in', publishUrl: 'rtmp://out', pageUrl: 'http://page', hidden: false },
  ...{ width: 1280, height: 720, fps: 25, videoBitrateKb: 2_500, inputVolume: 100 },
}
const valueAfter = (args: readonly string[], name: string) => args[args.lastIndexOf(name) + 1]

describe('the arguments of the encoder', () => {
  test('[issue 5.6] sound at its own volume is passed on as it is, at another it is encoded', () => {
    expect(valueAfter(encoderArgs(spec, HD), '-c:a')).toBe('copy')
    const quiet = encoderArgs({ ...spec, inputVolume: 50 }, HD)
    expect([valueAfter(quiet, '-filter:a'), valueAfter(quiet, '-c:a')]).toEqual(['volume=0.5', 'aac'])
  })

  test('[issue 5.6] an input without sound gets silence', () => {
    const args = encoderArgs(spec, { ...HD, audio: false })
    expect(args.join(' ')).toContain('anullsrc')
    expect(args).toContain('2:a')
    expect(encoderArgs(spec, HD).join(' ')).not.toContain('anullsrc')
  })

  test('[issue 5.6] colours are converted only where the input differs from what its size lets expect', () => {
    const filters = (video: Source['video'], size: Partial<ProgramSpec> = {}) =>
      valueAfter(encoderArgs({ ...spec, ...size }, { audio: true, video }), '-filter_complex')
    expect(filters({ width: 1280, height: 720, matrix: undefined })).not.toContain('color_matrix')
    expect(filters({ width: 1280, height: 720, matrix: 'bt709' })).not.toContain('color_matrix')
    expect(filters({ width: 1280, height: 720, matrix: 'bt601' })).toContain(
      'in_color_matrix=bt601:out_color_matrix=bt709',
    )
    expect(filters({ width: 720, height: 576, matrix: undefined })).toContain(
      'in_color_matrix=bt601:out_color_matrix=bt709',
    )
    expect(filters({ width: 640, height: 360, matrix: undefined }, { width: 640, height: 360 })).toContain(
      'colorspace=smpte170m',
    )
  })

  test('no more threads and key frames than it needs', () => {
    const args = encoderArgs({ ...spec, fps: 50 }, HD)
    expect([valueAfter(args, '-g'), valueAfter(args, '-b:v'), valueAfter(args, '-threads:v')]).toEqual([
      '100',
      '2500k',
      '4',
    ])
  })
})

describe('what ffmpeg says of an input', () => {
  test('its size, its colours and whether it has sound', () => {
    const tagged =
      '  Stream #0:0: Video: h264 (High), yuv420p(tv, bt709, progressive), 1280x720 [SAR 1:1 DAR 16:9], 25 fps'
    expect(describeSource([tagged, '  Stream #0:1: Audio: aac (LC), 44100 Hz, mono'])).toEqual({
      video: { width: 1280, height: 720, matrix: 'bt709' },
      audio: true,
    })
    const sd =
      'Stream #0:0[0x100]: Video: h264 (Main) ([27][0][0][0] / 0x001B), yuv420p(tv, bt470bg/unknown/unknown), 720x576, 25 fps'
    expect(describeSource([sd])).toEqual({ video: { width: 720, height: 576, matrix: 'bt601' }, audio: false })
    const plain =
      'Stream #0:0: Video: h264 (Constrained Baseline), yuv420p(progressive), 320x180 [SAR 1:1 DAR 16:9], 25 fps'
    expect(describeSource([plain]).video).toEqual({ width: 320, height: 180, matrix: undefined })
    expect(describeSource(['Stream #0:0: Audio: aac', 'Stream #0:1 -> #0:0 (copy)'])).toEqual({
      video: null,
      audio: true,
    })
  })
})
