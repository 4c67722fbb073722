/**
 * The newest migration that the version before this one knows: nodes that know less must not serve beside this one. Raise it with each
 * release that brings a migration, to the newest of the release before.
 */
export const WORKS_BESIDE = '0041_sign_in_limit.sql'

/** The databases that a node's code can serve on: the newest migration that it knows, and the least that its neighbours must know. */
export type Knowledge = { readonly knows: string; readonly worksBeside: string }

/** The service as a starting node finds it: the nodes that serve now, and the migration that they must know. */
export type Standing = {
  readonly needs: string | null
  readonly nodes: readonly { readonly id: string; readonly url: string; readonly knows: string }[]
}

/** Throws one line when a node of this code must not serve, or not yet. */
export function mustJoin({ knows, worksBeside }: Knowledge, { needs, nodes }: Standing): void {
  if (needs !== null && needs > knows)
    throw new Error(
      `This version of Tally is too old for the nodes of this service: they need migration ${needs}, the newest it knows is ${knows}. Start the version that they run.`,
    )
  const older = nodes.find((node) => node.knows < worksBeside)
  if (older)
    throw new Error(
      `The node ${older.id} at ${older.url} is more than one version behind: it knows migrations up to ${older.knows}, beside this version ${worksBeside} is needed. Bring every node to the version between first.`,
    )
}
