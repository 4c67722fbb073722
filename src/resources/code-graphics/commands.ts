import { createHash, randomUUID } from 'node:crypto'
import type { TransactionSql } from 'postgres'
import type { z } from 'zod'
import type { RecordContext } from '../../context.ts'
import { codeGraphicInvalid, invalid, notFound } from '../../errors.ts'
import { touchTheme } from '../target.ts'
import { getTheme } from '../themes/queries.ts'
import { getCodeGraphic } from './queries.ts'
import { brokenFileRules, brokenStateMachineRules, entryOf } from './rules.ts'
import type { BundleFile, BundleUpload, CodeGraphic, CodeGraphicCreation, CodeStateMachine } from './schema.ts'

type Upload = z.output<typeof BundleUpload>
type StateMachine = z.output<typeof CodeStateMachine>

/** What a code graphic starts with when the creation names no state machine. */
const STANDARD: StateMachine = { runtime: { entry: 'index.html' }, controlVariables: [], userExpressions: [] }

/** Creates an empty code graphic; its files come with `putBundle`. spec: Themes 20 */
export function createCodeGraphic(
  ctx: RecordContext,
  themeId: number,
  asked: z.output<typeof CodeGraphicCreation>,
): Promise<z.output<typeof CodeGraphic>> {
  const graphicId = randomUUID()
  const stateMachine = asked.stateMachine ?? STANDARD
  return ctx.db.write(ctx, { ref: `graphic/${graphicId}`, type: 'create', asked }, async (tx) => {
    await getTheme(ctx, themeId, tx)
    const rules = brokenStateMachineRules(stateMachine)
    if (rules.length > 0) throw codeGraphicInvalid(rules)
    if (asked.name === '__proto__') throw invalid({ 'body.name': { message: 'the name is reserved' } })
    const [graphic] = await tx`
      insert into graphic (id, theme_id, kind, name) values (${graphicId}, ${themeId}, 'code', ${asked.name})
      on conflict (theme_id, name) do nothing returning id`
    if (!graphic)
      throw invalid({ 'body.name': { message: 'another graphic of the theme has this name', value: asked.name } })
    await tx`
      insert into graphic_draft (graphic_id, version, sports, state_machine)
      select ${graphicId}, 1, coalesce(${asked.sports ?? null}::text[], sports), ${tx.json(plain(stateMachine))}
      from theme where id = ${themeId}`
    await touchTheme(tx, themeId)
    return {
      result: await getCodeGraphic(ctx, themeId, graphicId, tx),
      events: [{ type: 'graphic.created', graphicId, themeId, name: asked.name }],
    }
  })
}

/**
 * Replaces the whole file set of the working copy, and its state machine when one is given. `uploaded` are the hashes
 * whose bytes came for this bundle. spec: Code graphics 21
 */
export function putBundle(
  ctx: RecordContext,
  { themeId, graphicId }: { themeId: number; graphicId: string },
  asked: { files: readonly Upload[]; stateMachine?: StateMachine },
  uploaded: ReadonlySet<string>,
): Promise<z.output<typeof CodeGraphic>> {
  const command = { ref: `graphic/${graphicId}`, type: 'putBundle', asked }
  return ctx.db.write(ctx, command, async (tx) => {
    const draft = await lockDraft(ctx, tx, themeId, graphicId)
    const stateMachine = asked.stateMachine ?? draft.stateMachine
    const rules = [
      ...brokenStateMachineRules(stateMachine),
      ...brokenFileRules(asked.files, entryOf(stateMachine)),
      ...asked.files
        .filter((file) => !uploaded.has(file.hash) && !draft.assets.some((asset) => asset.hash === file.hash))
        .map(({ name }) => `${name}: not uploaded and not in the graphic from an earlier bundle`),
    ]
    if (rules.length > 0) throw codeGraphicInvalid(rules)
    await tx`
      update graphic_draft set assets = ${tx.json(revised(draft.assets, asked.files))},
        state_machine = ${tx.json(plain(stateMachine))}, updated_at = clock_timestamp()
      where graphic_id = ${graphicId}`
    await touchTheme(tx, themeId)
    return {
      result: await getCodeGraphic(ctx, themeId, graphicId, tx),
      events: [{ type: 'graphic.bundleReplaced', graphicId, files: asked.files.length }],
    }
  })
}

/** Publishes the working copy as an immutable version; the working copy goes on as the next one, in a new row. */
export function publishCodeGraphic(ctx: RecordContext, themeId: number, graphicId: string) {
  return ctx.db.write(ctx, { ref: `graphic/${graphicId}`, type: 'publish' }, async (tx) => {
    const draft = await lockDraft(ctx, tx, themeId, graphicId)
    const entry = entryOf(draft.stateMachine)
    const rules = brokenFileRules(draft.assets, entry)
    if (rules.length > 0) throw codeGraphicInvalid(rules)
    const bundleHash = await storeBundle(tx, entry, draft.assets)
    await tx`
      insert into graphic_version (graphic_id, version, sports, state_machine, bundle_hash)
      select graphic_id, version, sports, state_machine, ${bundleHash} from graphic_draft where graphic_id = ${graphicId}`
    await tx`
      with published as (delete from graphic_draft where graphic_id = ${graphicId} returning *)
      insert into graphic_draft (graphic_id, version, sports, state_machine, assets)
      select graphic_id, version + 1, sports, state_machine, assets from published`
    await touchTheme(tx, themeId)
    return {
      result: { publishedVersion: draft.version, graphic: await getCodeGraphic(ctx, themeId, graphicId, tx) },
      events: [{ type: 'graphic.published', graphicId, version: draft.version }],
    }
  })
}

type Asset = z.output<typeof BundleFile>
type Draft = { version: number; stateMachine: StateMachine; assets: Asset[] }

async function lockDraft(ctx: RecordContext, tx: TransactionSql, themeId: number, graphicId: string): Promise<Draft> {
  const [draft] = await tx<Draft[]>`
    select d.version, d.state_machine as "stateMachine", d.assets from graphic_draft d
    join graphic g on g.id = d.graphic_id
    join theme t on t.id = g.theme_id
    where g.id = ${graphicId} and g.kind = 'code' and t.id = ${themeId} and t.organization_id = ${ctx.organizationId}
    for update of d`
  if (!draft) throw notFound()
  return draft
}

/** The new files by name; the revision of a file rises when its bytes change. */
function revised(before: readonly Asset[], files: readonly Upload[]): Asset[] {
  const held = new Map(before.map((asset) => [asset.name, asset]))
  const updatedAt = new Date().toISOString()
  return files
    .map((file) => {
      const old = held.get(file.name)
      return old?.hash === file.hash ? { ...old, ...file } : { ...file, version: (old?.version ?? 0) + 1, updatedAt }
    })
    .sort((one, other) => (one.name < other.name ? -1 : 1))
}

/** Equal file sets are one bundle, named by the hash of the list. */
async function storeBundle(tx: TransactionSql, entry: string, assets: readonly Asset[]) {
  const files = assets.map(({ name, mime, size, hash }) => ({ name, mime, size, blob: hash }))
  const hash = createHash('sha256').update(JSON.stringify({ entry, files })).digest('hex')
  await tx`insert into bundle (hash, entry, files) values (${hash}, ${entry}, ${tx.json(files)}) on conflict do nothing`
  return hash
}

// the driver's JSON type knows no optional members, which JSON leaves out anyway
const plain = (stateMachine: StateMachine) => stateMachine as Parameters<TransactionSql['json']>[0]
