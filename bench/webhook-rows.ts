import type { Plan } from './options.ts'
import { percentile } from './stats.ts'
import { type AddRow, most } from './verdict.ts'
import { WEBHOOKS_NAMES, type WebhooksResult, type WebhooksRun } from './webhooks.ts'

/** ms to the middle one. integrations: Webhooks */
export const WEBHOOKS_AIM = 50
const kinds = ['one', 'all', 'dead'] as const
export const arrivalAt = (percent: 50 | 99) => (run: WebhooksRun) => percentile(run.arrival, percent)

/** From a commit to the receivers of its event. */
export function webhooksRows(add: AddRow, found: WebhooksResult, { webhooks }: Plan): void {
  for (const kind of kinds) {
    const load = `${webhooks.endpoints} webhooks, ${WEBHOOKS_NAMES[kind]}`
    const runs = found[kind]
    add(`webhooks.${kind}.p50`, `goal to receiver, p50, ${load}`, 'ms', runs.map(arrivalAt(50)), most(WEBHOOKS_AIM))
    add(`webhooks.${kind}.p99`, 'goal to receiver, p99', 'ms', runs.map(arrivalAt(99)))
  }
  const micros = found.all.map(({ serverMicros }) => serverMicros)
  add('webhooks.all.server', 'CPU of the server per delivery', 'µs', micros)
}

/** Deliveries that did not come, and those that nobody can trust. */
export const webhooksProblems = (found: WebhooksResult): string[] =>
  kinds.flatMap((kind) =>
    found[kind].flatMap(({ expected, arrival, unverified }) => [
      ...(arrival.count === expected ? [] : [`webhooks: ${arrival.count} deliveries in place of ${expected}`]),
      ...(unverified > 0 ? [`webhooks: ${unverified} signatures are wrong`] : []),
    ]),
  )
