/** The one event that machines emit: what a command came to. */
export type Decided<Fact> = { type: 'decided'; facts: Fact[] }

type Asked<Context, Command> = { context: Context; event: Command }

/**
 * What an emit and an assign of one transition share: the facts that a command comes to, decided once. `enqueueActions` would do
 * both in one action, and with each step leave eight functions in V8's old space that keep the state before it.
 */
export function decided<Context extends object, Command extends object, Fact>(
  decide: (context: Context, command: Command) => Fact[],
  fold: (context: Context, fact: Fact) => Context,
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
      const context = facts(asked).reduce(fold, asked.context)
      last = undefined
      return context
    },
  }
}
