/** Outbox row of a change that overlays on air must hear of; src/reactions.ts says which overlays show what `ref` names. */
export const reaction = (event: string, ref: string) => ({ kind: 'reaction' as const, payload: { event, ref } })
