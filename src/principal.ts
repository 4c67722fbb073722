/** The key, person or link that a request acts for. spec: Authentication 1 */
export type Principal = {
  readonly organizationId: number
  /** As journaled; one object per key or session, so that its JSON is made once. */
  readonly actor: JournalPrincipal
  /** The bucket of the rate limit that is charged: `key/5`, `person/3`, `control/7`. */
  readonly chargedTo: string
  /** `<resource>:read` and `<resource>:write`, with the reads that a write includes already added. */
  readonly scopes: ReadonlySet<string>
}

/** A principal as a row of the journal names it. */
export type JournalPrincipal =
  | { type: 'key'; id: number; name: string }
  /** A person who signed in; `name` is the e-mail address. */
  | { type: 'person'; id: number; name: string }
  | { type: 'system'; name: string }
  /** The page of a control room, by its unguessable address. */
  | { type: 'link'; overlayId: number }
  /** The desk of a match, by its unguessable address. */
  | { type: 'desk'; matchId: number }
  /** A rule of the game plan; `id` is the rule's. game-plan: Rules of behaviour 6 */
  | { type: 'gamePlan'; id: string; name: string }

/**
 * An Idempotency-Key under which a request runs. The first transaction or actor commit of the request stores the answer
 * in the same commit; the router stores it afterwards when the request changed nothing. An actor commit writes nothing of
 * a command whose key has a row already.
 */
export type IdempotencyClaim = {
  readonly key: string
  readonly method: string
  /** Full path with query. */
  readonly path: string
  /** SHA-256 in hex. */
  readonly bodyHash: string
  /** The answer tells the state of an actor and nothing else, which stands in plain beside it: it need not be sealed. */
  readonly plain: boolean
  /** True once a row was written inside a commit. */
  stored: boolean
  /** True once a commit found a row of the key: the command was not carried out, whatever the caller is told. */
  taken: boolean
  /** The bytes that the router will answer for this result, with the route's success status. */
  encode(result: unknown): { status: number; body: string }
}

/** The principal that asks for a change, with the ids that it is journaled with. */
export type Asker = {
  readonly organizationId: number
  /** As journaled: `{type: 'key', id, name}`, `{type: 'person', id, name}`, `{type: 'system', name}`, `{type: 'link', overlayId}`, `{type: 'desk', matchId}`. */
  readonly actor: JournalPrincipal
  readonly requestId: string
  /** UUID of this command; the journal holds it, so an unknown commit can be resolved. */
  readonly commandId: string
  readonly idempotency?: IdempotencyClaim
  /** Another node may have carried this command out before it went away: the journal is asked for it first. */
  readonly mayBeDone?: boolean
}
