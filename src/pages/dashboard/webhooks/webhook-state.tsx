import { Badge } from '../../ui/badge.tsx'
import { Moment } from '../../ui/moment.tsx'
import type { Webhook } from '../shapes.ts'

/** Whether a webhook is told, and whether it takes what it is told. */
export function WebhookState({ enabled, failingSince, lastSuccessAt }: Webhook) {
  if (!enabled)
    return (
      <>
        <Badge tone={failingSince ? 'bad' : undefined}>Disabled</Badge>
        {failingSince && (
          <p className="cell-about">
            by itself: nothing was taken since <Moment at={failingSince} />
          </p>
        )}
      </>
    )
  if (failingSince)
    return (
      <>
        <Badge tone="bad">Failing</Badge>
        <p className="cell-about">
          since <Moment at={failingSince} />
        </p>
      </>
    )
  return lastSuccessAt ? <Badge tone="good">Works</Badge> : <Badge tone="pending">Not tried yet</Badge>
}
