/** The one event that machines emit: the facts of a command. */
export type Decided<Fact> = { type: 'decided'; facts: Fact[] }

type Asked<Context, Command> = { context: Context; event: Command }

/**
 * The facts of a command, decided once for the emit and the assign of one transition; `foldAll` where many at once have a shorter way. Not `enqueueActions`, which does both in one
 * action: docs/performance.md, old space.
 */
export function decided<Context extends object, Command extends object, Fact>(
  decide: (context: Context, command: Command) => Fact[],
  fold: (context: Context, fact: Fact) => Context,
  foldAll = (context: Context, all: readonly Fact[]) => all.reduce(fold, context),
) {
  let last: (Asked<Context, Command> & { facts: Fact[] }) | undefined
  const facts = ({ context, event }: Asked<Context, Command>): Fact[] => {
    if (last?.context !== context || last.event !== event) last = { context, event, facts: decide(context, event) }
    return last.facts
  }
  return {
    /** For `emit`: the host takes the facts out again. */
    facts: (asked: Asked<Context, Command>): Decided<Fact> => ({ type: 'decided', facts: facts(asked) }),
    /** For `assign`. */
    folded: (asked: Asked<Context, Command>): Context => {
      const context = foldAll(asked.context, facts(asked))
      last = undefined
      return context
    },
  }
}
