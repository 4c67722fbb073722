import { mimeOf } from '../../../../schema/mime.ts'
import { sha256 } from '../../../shared/sha256.ts'
import { api } from '../../api.ts'
import { sendBytes } from '../../send-bytes.ts'
import type { Theme } from '../../shapes.ts'
import { type Files, jsonIn } from './files.ts'

const MANIFEST = 'graphic.json'
const UPLOAD_MS = 120_000
const AT_ONCE = 4

type Manifest = {
  name?: string
  type?: string
  sports?: string[]
  stateMachine?: object
  mime?: Record<string, string>
}
type Uploads = {
  uploadSessionId: string
  /** No address where the bytes are there already. */
  files: { name: string; url: string | null; headers: Record<string, string> }[]
}

/** A graphic whose working copy has the files that were dropped. */
export type Pushed = { graphicId: string; name: string; isNew: boolean }

/**
 * Gives a code graphic of the theme these files: the one of its name, or a new one. What the server finds wrong with them it says;
 * of a new one nothing is left then. Throws Refusal.
 */
export async function pushGraphic(
  { id: themeId, graphics }: Pick<Theme, 'id' | 'graphics'>,
  folder: string,
  files: Files,
): Promise<Pushed> {
  // as the folder says; the server judges what is in it
  const manifest = (files.has(MANIFEST) ? jsonIn(files, MANIFEST) : {}) as Manifest
  const { name = folder, sports, stateMachine, mime = {} } = manifest
  if (manifest.type === 'rive') throw new Error(`${name} is a motion graphic: its file is uploaded on its own page`)
  const bundle = [...files].flatMap(([path, bytes]) =>
    path === MANIFEST
      ? []
      : [{ name: path, mime: mime[path] ?? mimeOf(path), size: bytes.length, hash: sha256(bytes), bytes }],
  )
  const list = bundle.map(({ bytes: _, ...file }) => file)
  const at = `/v2/themes/${themeId}/code-graphics`
  const there = graphics.find((graphic) => graphic.name === name)
  if (there && there.type !== 'code') throw new Error(`The theme has another kind of graphic of the name ${name}`)
  const graphicId =
    there?.graphicId ??
    (
      await api<{ graphicId: string }>('POST', at, {
        body: { name, ...(sports && { sports }), ...(stateMachine && { stateMachine }) },
      })
    ).graphicId
  try {
    const uploads = await api<Uploads>('POST', `${at}/${graphicId}/uploads`, { body: { files: list } })
    await sendAll(uploads, new Map(bundle.map((file) => [file.name, file])))
    await api('PUT', `${at}/${graphicId}/bundle`, {
      body: { files: list, uploadSessionId: uploads.uploadSessionId, ...(stateMachine && { stateMachine }) },
      patienceMs: UPLOAD_MS,
    })
  } catch (error) {
    // nobody has seen it yet
    if (!there) await api('DELETE', `${at}/${graphicId}`).catch(() => {})
    throw error
  }
  return { graphicId, name, isNew: !there }
}

type Sent = { bytes: Uint8Array<ArrayBuffer> }

async function sendAll({ files }: Uploads, known: ReadonlyMap<string, Sent>): Promise<void> {
  const waiting = [...files]
  const send = async () => {
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const file = known.get(next.name)
      if (!file || next.url === null) continue
      await sendBytes({ url: next.url, headers: next.headers }, file.bytes, `${next.name} could not be sent`)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, send))
}
