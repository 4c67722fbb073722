import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { keyFileOf, makeKeyFile, readKeyFile, writeKeyFile } from '../../src/secrets/key-file.ts'
import { isKeys, openKeys } from '../../src/secrets/open.ts'
import { keyIdOf, newSecretKey, seal, secretKey, unseal } from '../../src/secrets/sealing.ts'
import { KeyRing } from '../../src/secrets/secrets.ts'
import { temporaryDirectory } from '../support/directory.ts'

describe('[issue 15.10] sealing', () => {
  const key = newSecretKey()
  const place = 'stream_input/secrets/5'

  it.each(['', 'a', 'key', 'ü𝒜\u0000\n', 'x'.repeat(100_000)])('gives back what was sealed (%#)', (plain) => {
    const sealed = seal(key, place, plain)
    expect(unseal(key, place, sealed)).toBe(plain)
    expect(keyIdOf(sealed)).toBe(key.id)
    expect(seal(key, place, plain)).not.toBe(sealed)
  })

  it('opens nothing that was changed, in whichever byte', () => {
    const sealed = seal(key, place, 'rtmp://user:password@host/app')
    const [format, id, text = ''] = sealed.split(':')
    const bytes = Buffer.from(text, 'base64url')
    for (let at = 0; at < bytes.length; at++) {
      const changed = Buffer.from(bytes)
      changed[at] = (changed[at] ?? 0) ^ 1
      expect(() => unseal(key, place, `${format}:${id}:${changed.toString('base64url')}`)).toThrow(place)
    }
    for (let length = 0; length < bytes.length; length++)
      expect(() => unseal(key, place, `${format}:${id}:${bytes.subarray(0, length).toString('base64url')}`)).toThrow(
        place,
      )
  })

  it('opens in its own row of its own table only, with its own key, and under its own name of a key', () => {
    const sealed = seal(key, place, 'secret')
    for (const other of ['stream_input/secrets/6', 'stream_destination/secrets/5', 'stream_input/secrets/', ''])
      expect(() => unseal(key, other, sealed)).toThrow('of another place or key')
    const stranger = newSecretKey()
    expect(() => unseal(stranger, place, sealed)).toThrow()
    // the same key bytes under another fingerprint, and the fingerprint of another over what ours sealed
    expect(() => unseal(stranger, place, sealed.replace(key.id, stranger.id))).toThrow()
    expect(() => unseal({ id: stranger.id, bytes: key.bytes }, place, sealed.replace(key.id, stranger.id))).toThrow()
  })

  it('a text that was never sealed is none of any key', () => {
    for (const text of ['', 's1:', 'plain', 's1:0123:abc', 'rtmp://host/app']) {
      expect(keyIdOf(text)).toBeUndefined()
      expect(() => unseal(key, place, text)).toThrow()
    }
  })

  it('a fingerprint is of the key and tells nothing of its bytes', () => {
    const bytes = Buffer.alloc(32, 7)
    expect(secretKey(bytes).id).toMatch(/^[0-9a-f]{16}$/)
    expect(secretKey(bytes).id).toBe(secretKey(Buffer.from(bytes)).id)
    expect(secretKey(Buffer.alloc(32, 8)).id).not.toBe(secretKey(bytes).id)
    expect(() => secretKey(Buffer.alloc(31))).toThrow()
  })
})

describe('[issue 15.10] keys', () => {
  it('a ring looks once more where its keys are before it gives up', () => {
    const [older, newer] = [newSecretKey(), newSecretKey()]
    let configured = [older]
    const writer = new KeyRing(() => [newer])
    writer.use(newer.id)
    const sealed = writer.seal('sign_in_secret', '1', { secret: 'abc' })
    const reader = new KeyRing(() => configured)
    reader.use(older.id)
    expect(() => reader.open('sign_in_secret', '1', sealed)).toThrow(
      `SECRETS_KEY: sign_in_secret/secrets/1 is sealed with key ${newer.id}`,
    )
    configured = [newer, older]
    expect(reader.open('sign_in_secret', '1', sealed)).toEqual({ secret: 'abc' })
    expect(() => new KeyRing(() => []).seal('sign_in_secret', '1', { secret: 'abc' })).toThrow('no key')
  })

  it('SECRETS_KEY is base64 or hexadecimal of 32 bytes, or several with commas', () => {
    const bytes = Buffer.alloc(32, 0xfb)
    const written = [bytes.toString('base64'), bytes.toString('base64url'), bytes.toString('hex')]
    for (const text of written) {
      expect(isKeys(text)).toBe(true)
      expect(openKeys({ secretsKey: text, dataDir: '/nowhere' }).ring.preferred?.bytes).toEqual(bytes)
    }
    expect(isKeys(`${written[0]}, ${written[2]}`)).toBe(true)
    for (const text of ['', 'password', `${written[0]},`, written[2]?.slice(1) ?? '', `${written[0]}x`])
      expect(isKeys(text)).toBe(false)
  })

  it('the file is made once beside DATA_DIR, for its owner alone, and never another one', () => {
    const dataDir = join(temporaryDirectory(), 'data')
    const path = keyFileOf(`${dataDir}/`)
    expect(path).toBe(`${dataDir}.secrets-key`)
    const source = openKeys({ secretsKey: undefined, dataDir })
    expect([source.from, source.ring.preferred, existsSync(path)]).toEqual([path, undefined, false])
    source.file?.make()
    expect(statSync(path).mode & 0o777).toBe(0o600)
    const first = source.ring.preferred
    // somebody else who came at the same moment takes what is there
    expect(makeKeyFile(path).map(({ id }) => id)).toEqual([first?.id])
    expect(readKeyFile(path).map(({ id }) => id)).toEqual([first?.id])
    const next = newSecretKey()
    writeKeyFile(path, [next, ...readKeyFile(path)])
    expect(readKeyFile(path).map(({ id }) => id)).toEqual([next.id, first?.id])
    expect(statSync(path).mode & 0o777).toBe(0o600)
  })

  it('a file that is damaged, or that others may read, is refused with one line', () => {
    const path = join(temporaryDirectory(), 'x.secrets-key')
    makeKeyFile(path)
    const good = readFileSync(path, 'utf8')
    for (const text of ['', '# nothing\n', good.slice(0, -5), `${good}garbage\n`]) {
      writeFileSync(path, text)
      expect(() => readKeyFile(path)).toThrow(`SECRETS_KEY: ${path} is damaged`)
    }
    writeFileSync(path, good)
    chmodSync(path, 0o644)
    expect(() => readKeyFile(path)).toThrow(`SECRETS_KEY: others may read ${path}`)
    expect(() => makeKeyFile('/proc/nowhere/x')).toThrow(/^SECRETS_KEY: cannot make a key at .*: set SECRETS_KEY$/)
  })
})
