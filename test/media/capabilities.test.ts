import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { findCapabilities, lackOf, lacksOf } from '../../src/media/capabilities.ts'
import type { Need } from '../../src/media/ports.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { noFfmpeg } from '../support/media.ts'

const NEEDS: Need[] = ['ffmpeg', 'rtmp', 'rtmps', 'srt', 'hls', 'burnIn', 'ingest']

/** A program that answers `-protocols` and so on as ffmpeg would; a folder with it. */
function folderWith(name: string, answers: Record<string, string>): string {
  const folder = temporaryDirectory()
  const cases = Object.entries(answers).map(([question, answer]) => `${question}) printf '%s' '${answer}' ;;`)
  writeFileSync(join(folder, name), `#!/bin/sh\nfor q in "$@"; do :; done\ncase "$q" in\n${cases.join('\n')}\nesac\n`)
  chmodSync(join(folder, name), 0o755)
  return folder
}

const plain = {
  '-version': 'ffmpeg version 9.9 Copyright',
  '-protocols': 'Supported file protocols:\nInput:\n  http\n  rtmp\n  srt\n  tls\nOutput:\n  http\n  rtmp\n  tls\n',
  '-encoders': 'Encoders:\n ------\n V....D libx264              H.264\n A....D aac                  AAC\n',
  '-filters': 'Filters:\n TSC scale            V->V       Scale.\n',
}

describe('what this machine can do', () => {
  test('[issue 5.3] without ffmpeg every operation that needs it is told so in one line, and how to help', async () => {
    const found = await findCapabilities({ path: temporaryDirectory() })
    expect(found).toMatchObject({ ffmpeg: null, browser: null })
    for (const need of NEEDS.filter((name) => name !== 'ingest')) expect(lackOf(found, need)).toMatch(/FFMPEG_PATH$/)
    expect(lackOf(found, 'ingest')).toBeUndefined()
    expect(lacksOf(found)).toHaveLength(1)
  })

  test('[issue 5.3] an ffmpeg that lacks a protocol one way lacks it, and what it has is not refused', async () => {
    const found = await findCapabilities({ path: folderWith('ffmpeg', plain) })
    expect(found.ffmpeg).toMatchObject({ version: '9.9' })
    expect([...found.protocols].sort()).toEqual(['http', 'rtmp', 'tls'])
    expect(lackOf(found, 'rtmp')).toBeUndefined()
    expect(lackOf(found, 'srt')).toBe('ffmpeg of this server (9.9) was built without SRT')
    // its TLS is ours
    expect(lackOf(found, 'rtmps')).toBeUndefined()
    expect(lackOf(found, 'burnIn')).toBe('ffmpeg of this server (9.9) was built without the filter overlay')
  })

  test('[issue 5.6] burned-in graphics need a browser besides', async () => {
    const filters = `${plain['-filters']} TSC overlay           VV->V      Overlay.\n`
    const path = folderWith('ffmpeg', { ...plain, '-filters': filters })
    expect(lackOf(await findCapabilities({ path }), 'burnIn')).toMatch(/CHROMIUM_PATH$/)
    const both = `${path}:${folderWith('chromium', {})}`
    expect(lackOf(await findCapabilities({ path: both }), 'burnIn')).toBeUndefined()
  })

  const able = { ...plain, '-filters': `${plain['-filters']} TSC overlay           VV->V      Overlay.\n` }

  test('[issue 15.5] the sandbox is given up only where the administrator says so, which is told for as long as it is so', async () => {
    const path = `${folderWith('ffmpeg', able)}:${folderWith('chromium', {})}`
    const found = await findCapabilities({ path, sandbox: false })
    expect([found.sandbox, lackOf(found, 'burnIn')]).toEqual(['off', undefined])
    expect(lacksOf(found).filter((line) => line.includes('sandbox'))).toEqual([
      expect.stringContaining('BURN_IN_SANDBOX=off'),
    ])
    // nobody draws there
    expect(lacksOf(await findCapabilities({ path: path.split(':')[0] ?? '', sandbox: false })).join()).not.toContain(
      'BURN_IN',
    )
  })

  test.skipIf(process.platform !== 'linux')(
    '[issue 15.5] a machine that lets no other program have namespaces may let the browser, which is asked itself',
    async () => {
      const refuses = folderWith('unshare', {})
      writeFileSync(join(refuses, 'unshare'), '#!/bin/sh\nexit 1\n')
      // biome-ignore lint/style/noProcessEnv: the folder before those in which this machine has its programs
      vi.stubEnv('PATH', `${refuses}:${process.env.PATH}`)
      onTestFinished(() => void vi.unstubAllEnvs())
      const lackWith = async (script: string) => {
        const folder = folderWith('chromium', {})
        writeFileSync(join(folder, 'chromium'), `#!/bin/sh\n${script}\n`)
        // the user without rights is to start it
        chmodSync(folder, 0o755)
        return lackOf(await findCapabilities({ path: `${folderWith('ffmpeg', able)}:${folder}` }), 'burnIn')
      }
      expect(await lackWith('echo "<html></html>"')).toBeUndefined()
      expect(await lackWith('echo "ERROR:zygote_host_impl_linux.cc(130)] No usable sandbox! If" >&2; exit 1')).toMatch(
        /^The browser has no sandbox on this server.*BURN_IN_SANDBOX=off/,
      )
      expect(await lackWith('exit 1')).toMatch(/does not start on this server, so they are refused$/)
      expect(await lackWith('for given in "$@"; do [ "$given" = --no-sandbox ] && exit 0; done; exit 1')).toBeDefined()
    },
  )

  test('an ffmpeg that the administrator names is the only one', async () => {
    const path = folderWith('ffmpeg', plain)
    expect(await findCapabilities({ path, ffmpegPath: '/nonexistent/ffmpeg' })).toMatchObject({ ffmpeg: null })
    const named = join(folderWith('ffmpeg', { ...plain, '-version': 'ffmpeg version 1.0' }), 'ffmpeg')
    expect((await findCapabilities({ path, ffmpegPath: named })).ffmpeg).toEqual({ path: named, version: '1.0' })
  })

  test('a program that is no ffmpeg is none', async () => {
    expect(await findCapabilities({ path: folderWith('ffmpeg', { '-version': 'hello' }) })).toMatchObject({
      ffmpeg: null,
    })
  })

  test.skipIf(noFfmpeg)('the ffmpeg of this machine is found', async () => {
    const found = await findCapabilities()
    expect(found.protocols).toContain('rtmp')
    expect(found.encoders).toContain('aac')
    expect(found.filters).toContain('overlay')
  })
})
