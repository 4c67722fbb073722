import { randomUUID } from 'node:crypto'
import type { Sql } from 'postgres'
import { decide, type OverlayCommand } from '../../machines/overlay/decide.ts'
import { fold } from '../../machines/overlay/events.ts'
import type { Overlay } from '../../machines/overlay/model.ts'
import type { Unstamped } from '../../machines/transition.ts'
import { apart } from './apart.ts'
import { addOverlay } from './secrets.ts'

/** A minimal overlay with everything that it needs, in an organization of its own. */
export async function insertOverlay(
  sql: Sql,
  options: { delaySeconds?: number } = {},
): Promise<{ id: number; organizationId: number; key: string; controlToken: string; monitoringToken: string }> {
  const [organization] = await sql<{ id: number }[]>`insert into organization (name) values ('Test') returning id`
  const organizationId = organization?.id ?? 0
  const [competition] = await sql<{ id: number }[]>`
    insert into competition (organization_id, name, sport) values (${organizationId}, 'Test League', 'football')
    returning id`
  const [match] = await sql<{ id: number }[]>`
    insert into match (organization_id, competition_id, sport, starts_at)
    values (${organizationId}, ${competition?.id ?? 0}, 'football', now()) returning id`
  const tokens = { key: randomUUID(), controlToken: randomUUID(), monitoringToken: randomUUID() }
  const id = await addOverlay(sql, {
    organizationId,
    matchId: match?.id ?? 0,
    name: 'Program',
    key: tokens.key,
    control: tokens.controlToken,
    monitoring: tokens.monitoringToken,
    ...options,
  })
  return { id, organizationId, ...tokens }
}

type Journaled = { ageSeconds?: number; asked?: Record<string, unknown>; principal?: object }

/** The journal of one overlay as the actor writes it, with commits as old as the test wants. */
export class OverlayJournal {
  readonly #sql: Sql
  readonly #overlay: { id: number; organizationId: number }
  #context: Overlay = { graphics: {}, revisions: {} }
  seq = 0

  constructor(sql: Sql, overlay: { id: number; organizationId: number }) {
    this.#sql = sql
    this.#overlay = overlay
  }

  get context(): Overlay {
    return this.#context
  }

  /** Commits one command; answers its seq. */
  async commit(
    command: Unstamped<OverlayCommand>,
    { ageSeconds = 0, asked, principal }: Journaled = {},
  ): Promise<number> {
    const sql = this.#sql
    const { id, organizationId } = this.#overlay
    // the host stamps the seq
    const facts = decide(this.#context, { ...command, seq: this.seq + 1 } as OverlayCommand)
    this.#context = facts.reduce(fold, this.#context)
    const { events, asides = null } = apart(facts)
    this.seq++
    const ref = `overlay/${id}`
    const snapshot = JSON.stringify({ status: 'active', value: 'onAir', context: this.#context })
    await sql`
      insert into actor (ref, organization_id, seq, machine_version, snapshot)
      values (${ref}, ${organizationId}, ${this.seq}, 1, ${snapshot}::text::json)
      on conflict (ref) do update set seq = excluded.seq, snapshot = excluded.snapshot`
    await sql`
      insert into journal (ref, seq, at, organization_id, command_id, request_id, principal, command, events, asides)
      values (${ref}, ${this.seq}, clock_timestamp() - make_interval(secs => ${ageSeconds}), ${organizationId},
        ${randomUUID()}, 'request-1', ${JSON.stringify(principal ?? { type: 'key', id: 7, name: 'Operator' })}::text::json,
        ${JSON.stringify(asked ?? { type: command.type })}::text::json, ${JSON.stringify(events)}::text::json,
        ${asides && JSON.stringify(asides)}::text::json)`
    return this.seq
  }

  /** Says that its settings were made or changed so long ago. */
  async settings(type: 'create' | 'update', asked: object, ageSeconds: number): Promise<void> {
    const { id, organizationId } = this.#overlay
    await this.#sql`
      insert into journal (ref, seq, at, organization_id, command_id, request_id, principal, command, events)
      values (${`overlay-settings/${id}`}, nextval('journal_record_seq'),
        clock_timestamp() - make_interval(secs => ${ageSeconds}), ${organizationId}, gen_random_uuid(), 'r', '{}',
        ${JSON.stringify({ type, asked })}::text::json, '[]')`
  }
}
