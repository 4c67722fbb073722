import type { LivePictureProblem, LiveRenderer } from '../../realtime/followers/live-protocol.ts'

const MOST_NAMED = 3

/** `a`, `a and b`, `a, b and 4 more`. */
export function together(names: readonly string[]): string {
  const named = names.length > MOST_NAMED ? names.slice(0, MOST_NAMED - 1) : names.slice(0, -1)
  const last = names.length > MOST_NAMED ? `${names.length - named.length} more` : names.at(-1)
  return named.length > 0 ? `${named.join(', ')} and ${last}` : `${last}`
}

/** The problems of a graphic that a picture beside the air tells. */
export const picturedProblems = (
  graphicId: string,
  bus: LivePictureProblem['bus'],
  problems: readonly LivePictureProblem[],
): readonly LivePictureProblem[] => problems.filter((one) => one.bus === bus && one.graphicId === graphicId)

/** The problems of a graphic with the renderers that tell them: a broken bundle is broken on all of them. */
export function problemsOf(graphicId: string, renderers: readonly LiveRenderer[]): { message: string; by: string }[] {
  const byMessage = new Map<string, string[]>()
  for (const { name, problems } of renderers)
    for (const problem of problems)
      if (problem.graphicId === graphicId)
        byMessage.set(problem.message, [...(byMessage.get(problem.message) ?? []), name])
  return [...byMessage].map(([message, names]) => ({ message, by: together(names) }))
}
