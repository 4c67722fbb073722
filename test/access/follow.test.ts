import { describe, expect, test } from 'vitest'
import { createAdmission } from '../../src/access/follow.ts'
import type { OverlayCard } from '../../src/catalog/cards.ts'
import type { ApiKey } from '../../src/http/auth.ts'
import { createLimiter } from '../../src/http/rate-limit.ts'
import { hashApiKey, newApiKey } from '../../src/secrets/api-key.ts'

const key = newApiKey()

/** Admission over one key and overlay 7 of organization 1. */
function gate({ scopes = ['overlays:read'], burst = 100, enforced = true } = {}) {
  let row: ApiKey | undefined = {
    id: 1,
    organizationId: 1,
    name: 'panel',
    hash: hashApiKey(key).toString('hex'),
    scopes,
    legacyAccess: null,
    expiresAt: null,
  }
  let isOut = false
  const overlay: OverlayCard = {
    id: 7,
    organizationId: 1,
    matchId: 1,
    sport: 'football',
    roomId: null,
    themeId: null,
    profileId: null,
    competitionId: 1,
    adType: null,
    automatic: false,
    tokens: { key: '', monitoring: '', control: '' },
  }
  const admit = createAdmission({
    keyStore: {
      find: () => {
        if (isOut) throw new Error('the database is away')
        return row
      },
      used: () => {},
    },
    limiter: createLimiter({ enforced, perSecond: 1, burst }),
    catalog: { overlay: (id) => (id === 7 ? overlay : id === 8 ? { ...overlay, id, organizationId: 2 } : undefined) },
    within: (work) => work,
  })
  return {
    admit: (overlayId: string, headers: { authorization?: string; serviceApiKey?: string } = { serviceApiKey: key }) =>
      admit({
        params: { overlayId },
        query: new URLSearchParams(),
        authorization: headers.authorization ?? '',
        serviceApiKey: headers.serviceApiKey ?? '',
        userAgent: '',
        remoteAddress: '',
      }),
    change: (changed: Partial<ApiKey> | undefined) => {
      row = changed && row && { ...row, ...changed }
    },
    lose: () => {
      isOut = true
    },
  }
}

describe('whoever follows by API key', () => {
  test('[auth.3] either header opens, both only when they say the same', async () => {
    const { admit } = gate()
    const bearer = `Bearer ${key}`
    expect((await admit('7', { authorization: bearer })).overlayId).toBe(7)
    expect((await admit('7', { authorization: bearer, serviceApiKey: key })).overlayId).toBe(7)
    await expect(admit('7', { authorization: bearer, serviceApiKey: newApiKey() })).rejects.toMatchObject({
      status: 401,
    })
    await expect(admit('7', {})).rejects.toMatchObject({ status: 401 })
    await expect(admit('7', { authorization: `Basic ${key}` })).rejects.toMatchObject({ status: 401 })
  })

  test('[contract REST] 401 comes before 429, 429 before 403, 403 before 400, 400 before whose it is', async () => {
    const scopeless = gate({ scopes: ['matches:read'], burst: 2 })
    await expect(scopeless.admit('x')).rejects.toMatchObject({ status: 403, body: { code: 'INSUFFICIENT_SCOPE' } })
    await expect(scopeless.admit('x')).rejects.toMatchObject({ status: 403 })
    await expect(scopeless.admit('x')).rejects.toMatchObject({ status: 429 })
    await expect(scopeless.admit('x', {})).rejects.toMatchObject({ status: 401 })
    const { admit } = gate()
    for (const id of ['x', '0', '-7', '7.5', '7.0', '07', '7e0', '0x7', '+7', ' 7', '99999999999', ''])
      await expect(admit(id)).rejects.toMatchObject({ status: 400, body: { details: { 'path.overlayId': {} } } })
    await expect(admit('9')).rejects.toMatchObject({ status: 404 })
    await expect(admit('8')).rejects.toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } })
  })

  test('[auth.8] it holds until the key expires or is deleted; a database that is away ends nothing', async () => {
    const { admit, change, lose } = gate({ enforced: false })
    const { holds } = await admit('7')
    expect(await holds?.()).toBe(true)
    change({ expiresAt: new Date(Date.now() - 1) })
    expect(await holds?.()).toBe(false)
    change({ expiresAt: null })
    expect(await holds?.()).toBe(true)
    change(undefined)
    expect(await holds?.()).toBe(false)
    lose()
    await expect(holds?.()).rejects.toThrow('the database is away')
  })
})
