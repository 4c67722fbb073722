import { importConflict } from '../../errors.ts'
import { type Asset as BundleFile, revised } from '../code-graphics/working-copy.ts'
import type { Candidate } from './candidate.ts'
import { assetName, MIME_OF_MOTION, MOTION_FILE, type Motion, type Source, sourceOf } from './sources.ts'
import { byName, fitted, type Uploaded } from './state-machine.ts'
import { type MotionDraft, partsOf, uploadedIn } from './working-copy.ts'

type MotionCandidate = Extract<Candidate, { kind: 'motion' }>
type AssetCandidate = Extract<Candidate, { kind: 'asset' }>
type File = Pick<BundleFile, 'name' | 'mime' | 'size' | 'hash'>

/** The working copy with the candidate of an uploaded file. Throws importConflict when the part it replaces is gone. */
export function applied(draft: MotionDraft, assetId: string, candidate: Candidate): MotionDraft {
  return candidate.kind === 'motion' ? withMotion(draft, candidate) : withAsset(draft, assetId, candidate)
}

/** With another motion file: assets that somebody uploaded stay where the new file names them and brings none of its own. */
function withMotion(draft: MotionDraft, candidate: MotionCandidate): MotionDraft {
  const { runtime, motion, source } = candidate
  if (!runtime || !motion) return { ...draft, motion: withSource(draft.motion, MOTION_FILE, source) }
  const kept = keptAssets(draft, candidate)
  const brought = candidate.assets.map(({ uniqueFileName, ...file }) => ({ name: assetName(uniqueFileName), ...file }))
  const files: File[] = [
    { name: MOTION_FILE, ...runtime, mime: MIME_OF_MOTION },
    ...[...kept.map(({ file }) => file), ...brought].map(({ name, mime, size, hash }) => ({ name, mime, size, hash })),
  ]
  const sources = kept.flatMap(({ id, source: of }): [string, Source][] => (of ? [[id, of]] : []))
  const { stateMachine, shelf } = fitted(partsOf(draft), motion, [...kept.map(({ file }) => file), ...brought])
  return {
    ...draft,
    stateMachine,
    files: revised(draft.files, files),
    motion: { file: motion, shelf, sources: { ...Object.fromEntries(sources), [MOTION_FILE]: source } },
  }
}

type Kept = { id: string; file: File & Uploaded; source: Source | undefined }

/** The uploaded files of assets that the new file has by the same name, without bytes of their own. */
function keptAssets(draft: MotionDraft, { motion, assets }: MotionCandidate): Kept[] {
  const uploaded = uploadedIn(draft.files, draft.stateMachine)
  const brought = new Set(assets.map(({ uniqueFileName }) => uniqueFileName))
  return (motion?.assets ?? []).flatMap(({ id, name, type, uniqueFileName, embedded }): Kept[] => {
    if (embedded || brought.has(uniqueFileName)) return []
    const old = draft.stateMachine.assets.find((one) => one.name === name && one.type === type)
    const file = draft.files.find((one) => old && one.name === assetName(old.uniqueFileName))
    if (!old || !file) return []
    const known = byName(uploaded, file.name)
    const renamed = { ...known, ...file, name: assetName(uniqueFileName) }
    return [{ id, file: renamed, source: sourceOf(draft.motion, old.id) }]
  })
}

function withAsset(draft: MotionDraft, assetId: string, { file, source }: AssetCandidate): MotionDraft {
  const asset = draft.stateMachine.assets.find(({ id }) => id === assetId)
  if (!asset || !draft.motion.file) throw importConflict('The graphic no longer has the asset that the file replaces')
  const name = assetName(asset.uniqueFileName)
  const { mime, size, hash } = file
  // another motion file may have another asset by this id
  if (!mime.startsWith(`${asset.type}/`)) throw importConflict(`The asset that the file replaces is ${asset.type} now`)
  const files = revised(draft.files, [...draft.files.filter((one) => one.name !== name), { name, mime, size, hash }])
  const uploaded = [
    ...uploadedIn(draft.files, draft.stateMachine).filter((one) => one.name !== name),
    { ...file, name },
  ]
  return {
    ...draft,
    stateMachine: fitted(partsOf(draft), draft.motion.file, uploaded).stateMachine,
    files,
    motion: withSource(draft.motion, assetId, source),
  }
}

const withSource = ({ sources, ...motion }: Motion, assetId: string, source: Source): Motion => ({
  ...motion,
  sources: { ...sources, [assetId]: source },
})
