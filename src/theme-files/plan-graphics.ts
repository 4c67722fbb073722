import { readFile } from 'node:fs/promises'
import { isDeepStrictEqual } from 'node:util'
import { GraphicAnswer, UploadsAnswer, Written } from './answers.ts'
import { Refusal } from './api.ts'
import type { LocalTheme } from './folder.ts'
import { FolderError } from './folder-error.ts'
import type { BundleFile, LocalGraphic, LocalMotionGraphic } from './local-graphic.ts'
import { asWanted, partsOf } from './motion-parts.ts'
import { planOgraf } from './ograf.ts'
import { pairUp } from './pairs.ts'
import { MotionWriter } from './push-motion.ts'
import { type GraphicType, type RemoteGraphic, type RemoteTheme, segmentOf } from './remote.ts'
import { type Change, type Kept, type Session, type Step, since, sinceQuery, sinceTheme } from './session.ts'

type Plan = {
  /** In this order; `bundles` may run side by side. */
  create: Step[]
  bundles: Step[]
  publish: Step[]
  prune: Step[]
  kept: Kept[]
}

/** The graphics: made, filled, published when asked for; those that the folder does not have deleted. */
export function planGraphics(
  local: LocalTheme,
  remote: RemoteTheme | undefined,
  { publish }: { publish: boolean },
): Plan {
  const nameOf = ({ name }: { name: string }) => name
  const { pairs, extra } = pairUp(local.graphics, remote?.graphics ?? [], nameOf, nameOf)
  const other = pairs.filter((pair) => pair.remote && pair.remote.type !== pair.local.type)
  if (other.length > 0)
    throw new FolderError(
      other.map((pair) => `graphics/${pair.local.slug}: the server has a graphic ${pair.local.name} of the other type`),
    )
  return {
    create: [
      ...pairs.flatMap(({ local: one, remote: stored }) =>
        stored || one.type === 'ograf' ? [] : [createGraphic(one)],
      ),
      // an import makes what is not there
      ...planOgraf(pairs.flatMap(ofOgraf), (one, stored) => !stored || !sameFiles(one.files, stored.assets)),
    ],
    bundles: pairs.flatMap((pair) => writeGraphic(pair.local, pair.remote)),
    publish: publish ? pairs.flatMap((pair) => publishGraphic(pair.local, pair.remote)) : [],
    prune: extra.map(deleteGraphic),
    kept: extra.map(({ name }) => ({ kind: 'graphic', name })),
  }
}

const ofOgraf = ({ local, remote }: { local: LocalGraphic; remote?: RemoteGraphic }) =>
  local.type === 'ograf' ? [{ local, remote }] : []

const createGraphic = ({ type, name, sports, stateMachine }: LocalGraphic): Step => ({
  change: { action: 'create', kind: 'graphic', name },
  async run(session) {
    const body = { name, sports, ...(type === 'code' && { stateMachine }), ...sinceTheme(session) }
    const path = `/v2/themes/${session.themeId}/${segmentOf(type)}`
    const { graphicId, updatedAt } = await session.api.write('POST', path, body, CreatedAnswer)
    session.graphics.set(name, { graphicId, updatedAt })
    session.themeUpdatedAt = undefined
  },
})

const CreatedAnswer = GraphicAnswer.pick({ graphicId: true, updatedAt: true })

/** Files, state machine and sports, as far as they differ. */
function writeGraphic(graphic: LocalGraphic, stored: RemoteGraphic | undefined): Step[] {
  if (graphic.type === 'rive') return writeMotionGraphic(graphic, stored)
  if (graphic.type === 'ograf') return []
  const { name, sports, stateMachine, files } = graphic
  const held = new Map(stored?.assets.map((asset) => [asset.name, asset]))
  const hashes = new Set(stored?.assets.map(({ hash }) => hash))
  const filesDiffer = !sameFiles(files, stored?.assets ?? [])
  const stateDiffers = stored !== undefined && !isDeepStrictEqual(stateMachine, stored.stateMachine)
  const sportsDiffer = stored !== undefined && !isDeepStrictEqual(sports, stored.sports)
  if (!filesDiffer && !stateDiffers && !sportsDiffer) return []
  const uploads = files.filter(({ hash }) => !hashes.has(hash))
  const names = new Set(files.map((file) => file.name))
  const change: Change = {
    action: 'update',
    kind: 'bundle',
    name,
    changed: [
      ...(filesDiffer ? ['files'] : []),
      ...(stateDiffers ? ['stateMachine'] : []),
      ...(sportsDiffer ? ['sports'] : []),
    ],
    uploads: uploads.map((file) => file.name),
    uploadBytes: uploads.reduce((sum, { size }) => sum + size, 0),
    deletes: [...held.keys()].filter((file) => !names.has(file)),
  }
  const run = async (session: Session) => {
    if (filesDiffer) {
      const uploadSessionId = uploads.length > 0 ? await uploadFiles(session, name, uploads) : undefined
      await writeDraft(session, 'PUT', name, '/bundle', {
        files: files.map(declared),
        ...(stateDiffers && { stateMachine }),
        ...(uploadSessionId && { uploadSessionId }),
      })
    }
    const rest = { ...(stateDiffers && !filesDiffer && { stateMachine }), ...(sportsDiffer && { sports }) }
    if (Object.keys(rest).length > 0) await writeDraft(session, 'PATCH', name, '', rest)
  }
  return [{ change, run }]
}

/** A motion graphic is written part by part; a file that the folder lacks stays with the motion file that names it. */
function writeMotionGraphic(graphic: LocalMotionGraphic, stored: RemoteGraphic | undefined): Step[] {
  const { name, sports, stateMachine } = graphic
  const uploads = changedFiles(graphic, stored?.assets ?? [])
  const stateDiffers = !sameMotion(graphic, stored)
  const sportsDiffer = stored !== undefined && !isDeepStrictEqual(sports, stored.sports)
  if (uploads.length === 0 && !stateDiffers && !sportsDiffer) return []
  const change: Change = {
    action: 'update',
    kind: 'bundle',
    name,
    changed: [
      ...(uploads.length > 0 ? ['files'] : []),
      ...(stateDiffers ? ['stateMachine'] : []),
      ...(sportsDiffer ? ['sports'] : []),
    ],
    uploads: uploads.map((file) => file.name),
    uploadBytes: uploads.reduce((sum, { size }) => sum + size, 0),
    deletes: [],
  }
  const run = (session: Session) =>
    new MotionWriter(session, name).write(uploads, stateMachine, sportsDiffer ? sports : undefined)
  return [{ change, run }]
}

function changedFiles({ files }: LocalMotionGraphic, stored: readonly { name: string; hash: string }[]) {
  const held = new Map(stored.map(({ name, hash }) => [name, hash]))
  return files.filter(({ name, hash }) => held.get(name) !== hash)
}

function sameMotion({ stateMachine }: LocalMotionGraphic, stored: Pick<RemoteGraphic, 'stateMachine'> | undefined) {
  const parts = partsOf(stored?.stateMachine ?? {})
  return isDeepStrictEqual(asWanted(stateMachine, parts), parts)
}

const declared = ({ name, mime, size, hash }: BundleFile) => ({ name, mime, size, hash })

const sameFiles = (files: readonly BundleFile[], assets: RemoteGraphic['assets']) =>
  isDeepStrictEqual(
    new Map(files.map(({ name, mime, hash }) => [name, `${mime} ${hash}`])),
    new Map(assets.map(({ name, mime, hash }) => [name, `${mime} ${hash}`])),
  )

const pathOf = (themeId: number, type: GraphicType, graphicId: string) =>
  `/v2/themes/${themeId}/${segmentOf(type)}/${encodeURIComponent(graphicId)}`

function draftOf(session: Session, name: string, type: GraphicType = 'code') {
  const draft = session.graphics.get(name)
  if (!draft) throw new Error(`the graphic ${name} was not made`)
  const path = pathOf(session.themeId, type, draft.graphicId)
  return { draft, path }
}

async function writeDraft(
  session: Session,
  method: 'PUT' | 'PATCH',
  name: string,
  below: string,
  body: Readonly<Record<string, unknown>>,
) {
  const { draft, path } = draftOf(session, name)
  const { updatedAt } = await session.api.write(
    method,
    path + below,
    { ...body, ...since(draft.updatedAt) },
    GraphicAnswer,
  )
  draft.updatedAt = updatedAt
}

const SESSIONS = 3

/** Sends the bytes; asks again for missing files when the addresses expire first. Answers the session of the bundle. */
async function uploadFiles(session: Session, name: string, files: readonly BundleFile[]): Promise<string> {
  const { path } = draftOf(session, name)
  const byName = new Map(files.map((file) => [file.name, file]))
  for (let attempt = 1; ; attempt++) {
    const body = { files: files.map(declared) }
    const { uploadSessionId, files: wanted } = await session.api.write('POST', `${path}/uploads`, body, UploadsAnswer)
    const sent = await Promise.allSettled(
      wanted.map(({ name: wantedName, url, headers }) => {
        const file = byName.get(wantedName)
        if (url === null || !file) return undefined
        return session.pool(async () => {
          await session.api.upload(url, headers ?? {}, await readFile(file.path))
          session.uploaded(file.size)
        })
      }),
    )
    const failed = sent.find((one) => one.status === 'rejected')
    if (!failed) return uploadSessionId
    const expired = failed.reason instanceof Refusal && failed.reason.status === 410
    if (!expired || attempt === SESSIONS) throw failed.reason
  }
}

function publishGraphic(graphic: LocalGraphic, stored: RemoteGraphic | undefined): Step[] {
  const { type, name, sports, stateMachine, files } = graphic
  const published = stored?.published
  const same =
    published !== undefined &&
    (graphic.type === 'rive'
      ? changedFiles(graphic, published.files).length === 0 && sameMotion(graphic, published)
      : sameFiles(files, published.files) && isDeepStrictEqual(stateMachine, published.stateMachine)) &&
    // an import leaves them as they are
    (type === 'ograf' || isDeepStrictEqual(sports, published.sports))
  // an empty graphic has nothing to show
  if (same || files.length === 0) return []
  return [
    {
      change: { action: 'publish', kind: 'graphic', name },
      async run(session) {
        const { draft, path } = draftOf(session, name, type)
        const body = since(draft.updatedAt)
        const answer = await session.api.write('POST', `${path}/publish`, body, PublicationAnswer)
        const { updatedAt } = answer
        draft.updatedAt = answer.graphic.updatedAt
        session.themeUpdatedAt = updatedAt
      },
    },
  ]
}

/** `updatedAt` is that of the theme. */
const PublicationAnswer = Written.extend({ graphic: Written })

const deleteGraphic = ({ type, name, graphicId, updatedAt }: RemoteGraphic): Step => ({
  change: { action: 'delete', kind: 'graphic', name },
  async run(session) {
    const path = pathOf(session.themeId, type, graphicId)
    await session.api.delete(path + sinceQuery(updatedAt))
    // a deletion answers nothing
    session.themeUpdatedAt = undefined
  },
})
