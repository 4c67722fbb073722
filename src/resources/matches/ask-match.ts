import { judgeMatch } from '../../../machines/match.ts'
import type { Match, MatchCommand, Refusal } from '../../../machines/match-model.ts'
import type { Unstamped } from '../../../machines/transition.ts'
import type { Context } from '../../context.ts'
import { invalid } from '../../errors.ts'

export type MatchAsk = Unstamped<MatchCommand>

type Asking<R> = {
  /** The command as the caller sent it, for the journal. */
  asked: { type: string } & Record<string, unknown>
  /** The command, from the state that earlier ones left; throws to refuse. */
  decide(match: Match): MatchAsk | Promise<MatchAsk>
  /** The answer, from the state after it. */
  reply(match: Match): R
  /** Where in the body a refused part of the command came from. */
  pathOf?(path: string): string
}

/** 400 for a state that a match cannot be in, told by field. */
export const impossible = ({ path, message, value }: Refusal) =>
  invalid({ [path === '' ? 'body' : `body.${path}`]: { message, ...(value !== undefined && { value }) } })

/**
 * Runs one command on the actor of a match. An impossible state is 400 and changes nothing: all facts are folded anew with every
 * change, so a correction is refused when it makes any of them impossible.
 */
export function askMatch<R>(
  ctx: Context,
  matchId: number,
  { asked, decide, reply, pathOf = (path) => path }: Asking<R>,
): Promise<R> {
  const judged = (match: Match, command: MatchAsk): MatchAsk => {
    // the host stamps the seq, which no judgement depends on
    const refusal = judgeMatch(match, { seq: 0, ...command })
    if (!refusal) return command
    throw impossible({ ...refusal, path: pathOf(refusal.path) })
  }
  return ctx.actors.send(ctx, 'match', matchId, {
    asked,
    decide(match) {
      const command = decide(match)
      return command instanceof Promise ? command.then((resolved) => judged(match, resolved)) : judged(match, command)
    },
    reply,
    refused: () => invalid({ body: { message: 'not possible in the state of the match' } }),
  })
}
