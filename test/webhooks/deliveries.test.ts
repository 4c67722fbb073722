import { Webhook } from 'standardwebhooks'
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { type Production, produce, startProduction } from '../resources/support.ts'
import { type Received, type Receiver, webhookReceiver } from '../support/webhook-receiver.ts'

let production: Production
beforeAll(async () => {
  production = await startProduction('empty', undefined, { OUTBOUND_PRIVATE: 'on' })
})
afterAll(() => production?.close())

const at = (id: unknown) => `/v2/webhooks/${id}`
type Hook = Receiver & { id: number; secret: string }

/** A webhook of the organization with a receiver of its own, both gone after the test. */
async function hooked(events: readonly string[] = ['*'], of: Omit<Production, 'close'> = production): Promise<Hook> {
  const receiver = await webhookReceiver()
  const made = await of.call('POST', '/v2/webhooks', { url: receiver.url, events })
  expect(made.status).toBe(201)
  const { id, secret } = made.body as { id: number; secret: string }
  receiver.trust(secret)
  onTestFinished(async () => {
    await of.call('DELETE', at(id))
    await receiver.close()
    expect(receiver.faults).toEqual([])
  })
  return Object.assign(receiver, { id, secret })
}

const typesOf = (received: readonly Received[]) => received.map(({ type }) => type)
const fact = async (type: string, more: object = {}, of: Omit<Production, 'close'> = production) => {
  const answer = await of.call('POST', `/v2/matches/${of.matchId}/facts`, { type, ...more })
  expect(answer.status).toBe(201)
  return answer.body as { id: number }
}
const deliveriesOf = async (id: number, query = '') =>
  (await production.call('GET', `${at(id)}/deliveries${query}`)).body as {
    deliveries: {
      id: string
      type: string
      state: string
      attempts: { status: number | null; error: string | null; ms: number }[]
      nextAt: string | null
    }[]
    total: number
  }
/** What is due later is due now. */
const hurry = async (id: number) => {
  const { sql } = production.server.database
  await sql`update webhook_delivery set next_at = clock_timestamp() where webhook_id = ${id} and state = 'pending'`
  await sql`select pg_notify('webhook_due', ${JSON.stringify([id])})`
}
const inState = (id: number, state: string) =>
  vi.waitFor(async () => {
    const { deliveries } = await deliveriesOf(id)
    expect(deliveries.map((one) => one.state)).toContain(state)
    return deliveries.filter((one) => one.state === state)
  })

afterEach(async () => {
  await production.call('POST', `/v2/overlays/${production.overlay.id}/graphics/commands`, { action: 'hideAll' })
})

describe('[issue 20.3] deliveries of webhooks', () => {
  it('are counted by what became of each attempt, with those that wait and the webhooks that fail', async () => {
    const figures = async () => {
      const text = await (await fetch(`${production.server.origin}/metrics`)).text()
      const of = (name: string) => Number(new RegExp(`^${name} ([\\d.]+)$`, 'm').exec(text)?.[1] ?? 0)
      return {
        delivered: of('tally_webhook_attempts_total\\{outcome="delivered"\\}'),
        retried: of('tally_webhook_attempts_total\\{outcome="retried"\\}'),
        failed: of('tally_webhook_attempts_total\\{outcome="failed"\\}'),
        timed: of('tally_webhook_attempt_ms_count\\{outcome="delivered"\\}'),
        pending: of('tally_webhook_deliveries_pending'),
        failing: of('tally_webhooks_failing'),
      }
    }
    const before = await figures()
    const taking = await hooked()
    const refusing = await hooked()
    const gone = await hooked()
    refusing.answer = (_, response) => response.writeHead(500).end()
    gone.answer = (_, response) => response.writeHead(410).end()
    for (const { id } of [taking, refusing, gone]) await production.call('POST', `${at(id)}/test`)
    await inState(taking.id, 'delivered')
    await inState(gone.id, 'failed')
    await vi.waitFor(async () =>
      expect(await figures()).toEqual({
        delivered: before.delivered + 1,
        retried: before.retried + 1,
        failed: before.failed + 1,
        timed: before.timed + 1,
        pending: before.pending + 1,
        failing: before.failing + 1,
      }),
    )
  })

  it('[integrations: Webhooks] tell a goal, signed and as the served schema says, in order', async () => {
    const match = await produce(production.server)
    const hook = await hooked(['*'], match)
    await fact('matchStart', {}, match)
    const goal = await fact('goal', { teamId: match.teamIds[0] }, match)
    const facts = `/v2/matches/${match.matchId}/facts/${goal.id}`
    expect((await match.call('POST', facts, { teamId: match.teamIds[1] })).status).toBe(200)
    expect((await match.call('DELETE', facts)).status).toBe(200)
    const ofMatch = () => hook.received.filter(({ data }) => data.matchId === match.matchId)
    await hook.until(() => ofMatch().length >= 8)
    const told = ofMatch().sort((one, other) => one.data.sequence - other.data.sequence)
    expect(typesOf(told)).toEqual([
      'match.fact_created',
      'match.state_changed',
      'match.fact_created',
      'match.score_changed',
      'match.fact_updated',
      'match.score_changed',
      'match.fact_deleted',
      'match.score_changed',
    ])
    expect(told.map(({ data }) => data.sequence)).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
    expect(told[1]?.data).toMatchObject({ state: 'live', previousState: 'scheduled' })
    expect(told[3]?.data).toMatchObject({ factId: goal.id, score: { home: 1, away: 0 } })
    expect(told[7]?.data).toMatchObject({ factId: goal.id, score: { home: 0, away: 0 } })
    expect(new Set(hook.received.map(({ id }) => id)).size).toBe(hook.received.length)
    // a receiver that answers gets them in order
    expect(ofMatch().map(({ data }) => data.sequence)).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
    const { body } = await match.call('GET', at(hook.id))
    expect(body).toMatchObject({ lastSuccessAt: expect.any(String), failingSince: null })
  })

  it('tell what was committed before this server knew of the first webhook, as soon as it does', async () => {
    const match = await produce(production.server)
    const receiver = await hooked(['match.fact_created'], match)
    const { sql } = production.server.database
    await match.call('PATCH', at(receiver.id), { enabled: false })
    // a notification that is on its way
    await sql`update webhook set enabled = true, enabled_at = clock_timestamp() where id = ${receiver.id}`
    const { id } = await fact('matchStart', {}, match)
    await sql`select pg_notify('webhook', ${String(match.organizationId)})`
    // sooner than the sweep that finds what nobody hinted at
    const began = Date.now()
    await receiver.until((received) => received.some(({ data }) => data.factId === id))
    expect(Date.now() - began, 'ms').toBeLessThan(1_000)
  })

  it('tell what is shown, and nothing of types that were not asked for', async () => {
    const hook = await hooked(['overlay.graphic_shown', 'overlay.graphic_hidden'])
    const { presets, overlay } = production
    const [first] = presets
    expect((await production.fire('show', first?.name ?? '')).status).toBe(200)
    expect((await production.fire('update', first?.name ?? '')).status).toBe(200)
    expect((await production.fire('hide', first?.name ?? '')).status).toBe(200)
    await hook.until((received) => received.length >= 2)
    expect(typesOf(hook.received)).toEqual(['overlay.graphic_shown', 'overlay.graphic_hidden'])
    const [shown, hidden] = hook.received.map(({ data }) => data)
    expect(shown).toMatchObject({
      ...{ overlayId: overlay.id, graphicName: first?.graphicName, presetId: first?.id },
      by: { type: 'key', id: expect.any(Number) },
    })
    expect(Number(hidden?.sequence)).toBe(Number(shown?.sequence) + 2)
  })

  it('have a body below 20 kB, however long the values of a graphic are', async () => {
    const hook = await hooked(['overlay.graphic_shown', 'overlay.graphic_updated'])
    await production.fire('show', 'Head coach', { title: 'short' })
    await production.fire('update', 'Head coach', { title: '€'.repeat(10_000) })
    await hook.until((received) => received.length === 2)
    const [shown, updated] = hook.received.map(({ data }) => data)
    expect(shown).toMatchObject({ variableValues: { title: 'short' } })
    expect(updated).toMatchObject({ graphicName: 'Lower third', presetId: shown?.presetId, variableValues: null })
  })

  it('tell what a game plan fired, and the fact that was its cause', async () => {
    const match = await produce(production.server)
    const hook = await hooked(['gameplan.fired'], match)
    const { overlay, competitionId, themeProfileId, call } = match
    const rule = { id: 'goal', name: 'Who scored', trigger: { type: 'fact', factTypes: ['goal'] } }
    const plan = await call('PUT', `/v2/competitions/${competitionId}/theme-profiles/${themeProfileId}/game-plan`, {
      rules: [{ ...rule, presetId: match.preset('Head coach').id, end: { afterSeconds: 60 } }],
    })
    expect(plan.status).toBe(200)
    await call('PATCH', `/v1/overlays/${overlay.id}`, { autoMode: true })
    // what happened before its first look is past
    const { sql } = production.server.database
    await vi.waitFor(async () => {
      expect(await sql`select from actor where ref = ${`game-plan/${overlay.id}`} and seq > 0`).toHaveLength(1)
    })
    await fact('matchStart', {}, match)
    const goal = await fact('goal', { teamId: match.teamIds[0] }, match)
    await hook.until((received) => received.length > 0)
    expect(hook.received.map(({ type, data }) => [type, data])).toEqual([
      [
        'gameplan.fired',
        { overlayId: overlay.id, ruleId: 'goal', name: 'Who scored', factId: goal.id, sequence: expect.any(Number) },
      ],
    ])
  })

  it('[show-control] tell nothing of an overlay that rehearses', async () => {
    const hook = await hooked()
    const { overlay, presets } = production
    const rehearse = (rehearsal: boolean) => production.call('PATCH', `/v2/overlays/${overlay.id}`, { rehearsal })
    expect((await rehearse(true)).status).toBe(200)
    await production.fire('show', presets[0]?.name ?? '')
    await production.fire('hide', presets[0]?.name ?? '')
    expect((await rehearse(false)).status).toBe(200)
    await production.fire('show', presets[0]?.name ?? '')
    await hook.until((received) => typesOf(received).includes('overlay.graphic_shown'))
    expect(typesOf(hook.received).filter((type) => type.startsWith('overlay.graphic'))).toEqual([
      'overlay.graphic_shown',
    ])
  })

  it('tell records that are made and changed', async () => {
    const hook = await hooked()
    const { call, competitionId, teamIds, themeId, playerIds } = production
    const [home = 0, away = 0] = teamIds
    const made = await call('POST', '/v2/matches', {
      ...{ competitionId, name: 'Second leg', date: '2027-05-01T18:00:00Z', competitorsType: 'teams' },
      ...{ homeTeamId: home, awayTeamId: away },
    })
    expect([made.status, made.body]).toMatchObject([expect.toBeOneOf([200, 201]), { id: expect.any(Number) }])
    const matchId = Number(made.body.id)
    expect((await call('POST', `/v2/matches/${matchId}`, { name: 'The second leg' })).status).toBe(200)
    const overlay = await call('POST', '/v1/overlays', { matchId, name: 'Second' })
    expect(overlay.status).toBeLessThan(300)
    const version = await call('POST', `/v2/themes/${themeId}/versions`, { activate: true })
    expect(version.status).toBeLessThan(300)
    const [goalkeeper] = playerIds[home] ?? []
    const players = [{ playerId: goalkeeper, starting: true }]
    const lineup = await call('PUT', `/v2/matches/${matchId}/lineup`, { teams: [{ teamId: home, players }] })
    expect(lineup.status).toBe(200)
    const wanted = [
      ...['match.created', 'match.updated', 'match.lineup_updated', 'overlay.created'],
      ...['theme.version_published', 'theme.version_activated'],
    ]
    await hook.until((received) => wanted.every((type) => typesOf(received).includes(type)))
    expect(hook.received.find(({ type }) => type === 'match.created')?.data).toMatchObject({ matchId, sequence: 1 })
  })

  it('sign with both secrets for a day after a rotation, and each attempt with its own time', async () => {
    const hook = await hooked(['match.created'])
    const { body } = await production.call('POST', `${at(hook.id)}/secret/rotate`)
    const send = async () => {
      const count = hook.received.length
      expect((await production.call('POST', `${at(hook.id)}/test`)).status).toBe(200)
      await hook.until((received) => received.length > count)
      return hook.received.at(-1) as Received
    }
    // the receiver still trusts the first one
    const both = await vi.waitFor(async () => {
      const received = await send()
      expect(String(received.headers['webhook-signature']).split(' ')).toHaveLength(2)
      return received
    })
    hook.trust(String(body.secret))
    new Webhook(String(body.secret)).verify(both.raw, both.headers as Record<string, string>)
    expect(both).toMatchObject({ type: 'webhook.test', data: { webhookId: hook.id } })
    await send()
    const { sql } = production.server.database
    await sql`update webhook set rotated_at = clock_timestamp() - interval '25 hours' where id = ${hook.id}`
    await sql`select pg_notify('webhook', ${String(production.organizationId)})`
    await vi.waitFor(async () => {
      expect(String((await send()).headers['webhook-signature']).split(' ')).toHaveLength(1)
    })
  })

  it('are tried again under the same id, and are failed after eight attempts', async () => {
    const hook = await hooked(['match.fact_created'])
    hook.answer = (_, response) => response.writeHead(500).end()
    const { body: sent } = await production.call('POST', `${at(hook.id)}/test`)
    expect(sent).toMatchObject({ state: 'pending', type: 'webhook.test' })
    for (let tries = 1; tries <= 8; tries++) {
      await vi.waitFor(async () => {
        const { deliveries } = await deliveriesOf(hook.id)
        expect(deliveries[0]?.attempts).toHaveLength(tries)
      })
      if (tries < 8) {
        const [delivery] = (await deliveriesOf(hook.id)).deliveries
        const wait = Date.parse(delivery?.nextAt ?? '') - Date.now()
        const expected = [5, 30, 120, 600, 3_600, 21_600, 86_400][tries - 1] ?? 0
        // jitter is a tenth; what a slow machine took until now is gone from it
        expect(wait).toBeLessThanOrEqual(expected * 1_100)
        expect(wait).toBeGreaterThan(expected * 900 - 30_000)
        await hurry(hook.id)
      }
    }
    const [failed] = await inState(hook.id, 'failed')
    expect(failed).toMatchObject({ id: sent.id, nextAt: null })
    expect(failed?.attempts.map(({ status }) => status)).toEqual(Array(8).fill(500))
    expect(new Set(hook.received.map(({ id }) => id))).toEqual(new Set([sent.id]))
    expect((await production.call('GET', at(hook.id))).body.failingSince).toEqual(expect.any(String))
    // and again, when somebody asks for it
    hook.answer = (_, response) => response.writeHead(200).end('thanks')
    const again = await production.call('POST', `${at(hook.id)}/deliveries/${sent.id}/redeliver`)
    expect(again.body).toMatchObject({ id: sent.id, state: 'pending' })
    const [delivered] = await inState(hook.id, 'delivered')
    expect(delivered?.attempts.at(-1)).toMatchObject({ status: 200, error: null })
    expect((await production.call('GET', at(hook.id))).body.failingSince).toBeNull()
  })

  it('wait as long as Retry-After says, follow no redirect, and go on by the queue', async () => {
    const hook = await hooked([]).catch(() => undefined)
    expect(hook).toBeUndefined()
    const other = await hooked(['match.created'])
    const answers: [number, Record<string, string>][] = [
      [503, { 'Retry-After': '7200' }],
      [302, { Location: 'http://127.0.0.1:1/' }],
    ]
    other.answer = (_, response) => {
      const [status, headers] = answers.shift() ?? [204, {}]
      response.writeHead(status, headers).end()
    }
    await production.call('POST', `${at(other.id)}/test`)
    const waiting = async (tries: number) =>
      vi.waitFor(async () => {
        const [delivery] = (await deliveriesOf(other.id)).deliveries
        expect(delivery?.attempts).toHaveLength(tries)
        return delivery
      })
    const first = await waiting(1)
    expect(Date.parse(first?.nextAt ?? '') - Date.now()).toBeGreaterThan(7_000_000)
    await hurry(other.id)
    expect((await waiting(2))?.attempts[1]).toMatchObject({ status: 302, error: expect.stringContaining('redirect') })
    // found by the sweep, without a hint
    const { sql } = production.server.database
    await sql`update webhook_delivery set next_at = clock_timestamp() - interval '2 seconds' where webhook_id = ${other.id}`
    expect((await waiting(3))?.state).toBe('delivered')
  })

  it('end with 410, which the audit list tells', async () => {
    const hook = await hooked(['match.created'])
    hook.answer = (_, response) => response.writeHead(410).end()
    await production.call('POST', `${at(hook.id)}/test`)
    await vi.waitFor(async () => {
      expect((await production.call('GET', at(hook.id))).body.enabled).toBe(false)
    })
    await inState(hook.id, 'failed')
    const { sql } = production.server.database
    const rows = await sql`
      select events from journal where ref = ${`webhook/${hook.id}`} and events::text like '%webhook.disabled%'`
    expect(rows).toEqual([{ events: [{ type: 'webhook.disabled', webhookId: hook.id, reason: 'gone' }] }])
  })

  it('end after three days of failing, and go on when the webhook is enabled again', async () => {
    const hook = await hooked(['match.created'])
    hook.answer = (_, response) => response.writeHead(500).end()
    const { sql } = production.server.database
    await sql`update webhook set failing_since = clock_timestamp() - interval '73 hours' where id = ${hook.id}`
    await production.call('POST', `${at(hook.id)}/test`)
    await vi.waitFor(async () => {
      expect((await production.call('GET', at(hook.id))).body.enabled).toBe(false)
    })
    expect((await deliveriesOf(hook.id, '?status=pending')).deliveries).toMatchObject([{ nextAt: null }])
    hook.answer = (_, response) => response.writeHead(200).end()
    await production.call('PATCH', at(hook.id), { enabled: true })
    await inState(hook.id, 'delivered')
  })

  it('fail no longer once somebody disables the webhook: nobody is asked any more', async () => {
    const hook = await hooked(['match.created'])
    hook.answer = (_, response) => response.writeHead(500).end()
    await production.call('POST', `${at(hook.id)}/test`)
    await vi.waitFor(async () => {
      expect((await production.call('GET', at(hook.id))).body.failingSince).toEqual(expect.any(String))
    })
    const { body } = await production.call('PATCH', at(hook.id), { enabled: false })
    expect(body).toMatchObject({ enabled: false, failingSince: null })
  })

  it('are replayed under their ids, those too that were never told', async () => {
    const from = new Date().toISOString()
    const hook = await hooked(['overlay.graphic_shown'])
    await production.fire('show', production.presets[0]?.name ?? '')
    await production.fire('hide', production.presets[0]?.name ?? '')
    await hook.until((received) => received.length === 1)
    const replay = (body: object) => production.call('POST', `${at(hook.id)}/replay`, body)
    await vi.waitFor(async () => {
      expect((await replay({ from, types: ['overlay.graphic_hidden'] })).body).toEqual({ replayed: 1 })
    })
    await hook.until((received) => typesOf(received).includes('overlay.graphic_hidden'))
    const [shown] = hook.received
    expect((await replay({ from })).body).toEqual({ replayed: 1 })
    await hook.until((received) => received.filter(({ id }) => id === shown?.id).length === 2)
    expect(hook.received.at(-1)?.raw).toBe(shown?.raw)
    const past = { from: '2020-01-01T00:00:00Z', to: '2020-01-02T00:00:00Z' }
    expect((await replay(past)).body).toEqual({ replayed: 0 })
    expect((await replay({ from: past.to, to: past.from })).status).toBe(400)
  })
})
