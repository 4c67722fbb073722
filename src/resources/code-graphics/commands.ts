import { randomUUID } from 'node:crypto'
import type { TransactionSql } from 'postgres'
import type { z } from 'zod'
import type { RecordContext } from '../../context.ts'
import { codeGraphicInvalid } from '../../errors.ts'
import { insertGraphic, publishDraft, updateGraphic } from '../graphic-writes.ts'
import { lockTheme } from '../target.ts'
import { brokenFileRules } from './file-rules.ts'
import { getWrittenGraphic } from './queries.ts'
import { brokenStateMachineRules, entryOf, type StateMachine } from './rules.ts'
import type {
  CodeGraphic,
  CodeGraphicCreation,
  CodeGraphicUpdate,
  GraphicPath,
  PublishedCodeGraphic,
} from './schema.ts'
import { type Draft, digestOf, graphicRef, lockThemeAndDraft, plain, storeBundle } from './working-copy.ts'

/** The state machine of a new code graphic whose creation names none. */
const STANDARD: StateMachine = { runtime: { entry: 'index.html' }, controlVariables: [], userExpressions: [] }

/** The command as asked, without its state machine, which may be large. */
const journaled = ({ stateMachine, ...asked }: { stateMachine?: StateMachine | undefined }) => ({
  ...asked,
  ...(stateMachine && { stateMachine: digestOf(stateMachine) }),
})

/** Creates an empty code graphic; its files come with `putBundle`. spec: Themes 20 */
export function createCodeGraphic(
  ctx: RecordContext,
  themeId: number,
  asked: Omit<z.output<typeof CodeGraphicCreation>, 'sports'> & { sports?: readonly string[] | undefined },
): Promise<z.output<typeof CodeGraphic>> {
  const graphicId = randomUUID()
  const stateMachine = asked.stateMachine ?? STANDARD
  const command = { ref: graphicRef(graphicId), type: 'create', asked: journaled(asked) }
  return ctx.db.write(ctx, command, async (tx) => {
    await lockTheme(ctx, tx, themeId, asked.ifUnchangedSince)
    const rules = brokenStateMachineRules(stateMachine)
    if (rules.length > 0) throw codeGraphicInvalid(rules)
    const events = await insertGraphic(tx, { themeId, graphicId, kind: 'code' }, { ...asked, stateMachine })
    return { result: await getWrittenGraphic(ctx, tx, { themeId, graphicId }), events }
  })
}

/** Renames a code graphic, or changes the sports or the state machine of its working copy. */
export function updateCodeGraphic(
  ctx: RecordContext,
  path: GraphicPath,
  asked: z.output<typeof CodeGraphicUpdate>,
): Promise<z.output<typeof CodeGraphic>> {
  const { name, ifUnchangedSince, stateMachine, sports } = asked
  return updateGraphic(ctx, path, {
    name,
    ifUnchangedSince,
    asked: journaled(asked),
    change: stateMachine || sports ? (tx, draft) => changeDraft(tx, path.graphicId, draft, asked) : undefined,
    read: (tx) => getWrittenGraphic(ctx, tx, path),
  })
}

async function changeDraft(
  tx: TransactionSql,
  graphicId: string,
  draft: Draft,
  { stateMachine = draft.stateMachine, sports }: z.output<typeof CodeGraphicUpdate>,
) {
  const entry = entryOf(stateMachine)
  const isEmpty = draft.assets.length === 0
  const rules = [...brokenStateMachineRules(stateMachine), ...(isEmpty ? [] : brokenFileRules(draft.assets, entry))]
  if (rules.length > 0) throw codeGraphicInvalid(rules)
  const bundleHash = isEmpty ? null : await storeBundle(tx, entry, draft.assets)
  await tx`
    update graphic_draft set state_machine = ${tx.json(plain(stateMachine))}, bundle_hash = ${bundleHash},
      sports = coalesce(${sports ?? null}::text[], sports)
    where graphic_id = ${graphicId}`
}

/** Publishes the working copy as an immutable version; the working copy goes on as the next one, under a new id. */
export function publishCodeGraphic(
  ctx: RecordContext,
  themeId: number,
  graphicId: string,
  { ifUnchangedSince }: { ifUnchangedSince?: string | undefined } = {},
): Promise<z.output<typeof PublishedCodeGraphic>> {
  const path = { themeId, graphicId }
  return ctx.db.write(ctx, { ref: graphicRef(graphicId), type: 'publish' }, async (tx) => {
    const { assets, stateMachine, version } = await lockThemeAndDraft(ctx, tx, path, ifUnchangedSince)
    const rules = [...brokenStateMachineRules(stateMachine), ...brokenFileRules(assets, entryOf(stateMachine))]
    if (rules.length > 0) throw codeGraphicInvalid(rules)
    const updatedAt = await publishDraft(tx, path)
    return {
      result: { publishedVersion: version, graphic: await getWrittenGraphic(ctx, tx, path), updatedAt },
      events: [{ type: 'graphic.published', graphicId, version }],
    }
  })
}
