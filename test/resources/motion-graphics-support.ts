import { strToU8, zipSync } from 'fflate'
import { expect, vi } from 'vitest'
import type { z } from 'zod'
import { MotionImport, MotionUpload } from '../../src/resources/motion-graphics/imports.schema.ts'
import { MotionGraphic, MotionGraphicList, MotionWrite } from '../../src/resources/motion-graphics/schema.ts'
import { createTheme } from '../../src/resources/themes/commands.ts'
import { PlainError, ValidationError } from '../../src/schema/errors.ts'
import { type Answer, newKey, newOrganization, type TestApp } from '../support/app.ts'
import { type RivObject, writeRiv } from '../support/riv.ts'
import { putBytes, sha256 } from './code-graphics-support.ts'

export type Graphic = z.output<typeof MotionGraphic>
export type Import = z.output<typeof MotionImport>
export type Upload = z.output<typeof MotionUpload>
export type Write = z.output<typeof MotionWrite>
export type Bytes = Uint8Array<ArrayBuffer>

const MODEL: RivObject[] = [
  ['enum', { enumName: 'side' }],
  ['enumValue', { enumKey: 'home', enumValue: 'home' }],
  ['enumValue', { enumKey: 'away', enumValue: 'away' }],
  ['viewModel', { viewModelName: 'Card' }],
  ['propertyString', { viewModelName: 'headline' }],
  ['propertyNumber', { viewModelName: 'points' }],
  ['propertyEnum', { viewModelName: 'side', enumId: 0 }],
  ['instance', { name: 'Default', viewModelIdOfInstance: 0 }],
  ['instanceString', { viewModelPropertyId: 0, stringDefault: 'Headline' }],
  ['instanceNumber', { viewModelPropertyId: 1, numberDefault: 7.5 }],
  ['instanceEnum', { viewModelPropertyId: 2, enumDefault: 1 }],
]
const MAIN: RivObject[] = [
  ['artboard', { name: 'Main', artboardWidth: 1280, artboardHeight: 200, viewModelId: 0 }],
  ['stateMachine', { animationName: 'Machine' }],
  ['stateMachineBool', { machineName: 'onAir', boolValue: 1 }],
  ['stateMachineNumber', { machineName: 'score', numberValue: 3 }],
  ['stateMachineTrigger', { machineName: 'goal' }],
  ['stateMachine', { animationName: 'Replay' }],
  ['stateMachineBool', { machineName: 'slow', boolValue: 0 }],
]
const OTHER: RivObject[] = [['artboard', { name: 'Other', artboardWidth: 640, artboardHeight: 100 }]]
/** An image in the file itself, and a font that it only names. */
const ASSETS: RivObject[] = [
  ['imageAsset', { assetName: 'badge', assetId: 11, assetWidth: 20, assetHeight: 20 }],
  ['assetContents', { bytes: new TextEncoder().encode('not looked at') }],
  ['fontAsset', { assetName: 'Barlow', assetId: 12 }],
]

const written = (objects: readonly RivObject[]): Bytes => new Uint8Array(writeRiv([['backboard'], ...objects]))

/** A motion file with a view model, two artboards, two state machines and two assets. */
export const riv = written([...MODEL, ...ASSETS, ...MAIN, ...OTHER])
/** Another one, whose view model, inputs and assets are the same in part. */
export const nextRiv = written([
  ['viewModel', { viewModelName: 'Banner' }],
  ['propertyString', { viewModelName: 'headline' }],
  ['propertyString', { viewModelName: 'subline' }],
  ['instance', { name: 'Default', viewModelIdOfInstance: 0 }],
  ['instanceString', { viewModelPropertyId: 0, stringDefault: 'New' }],
  ['instanceString', { viewModelPropertyId: 1, stringDefault: 'Newer' }],
  ['fontAsset', { assetName: 'Barlow', assetId: 31 }],
  ['artboard', { name: 'Main', artboardWidth: 1920, artboardHeight: 300, viewModelId: 0 }],
  ['stateMachine', { animationName: 'Machine' }],
  ['stateMachineBool', { machineName: 'onAir', boolValue: 0 }],
  ['stateMachineBool', { machineName: 'extra', boolValue: 0 }],
])

/** What begins as a font does. */
export const font: Bytes = Uint8Array.of(0, 1, 0, 0, 0, 0, 0, 0)

export const zip = (files: Readonly<Record<string, Uint8Array | string>>): Bytes =>
  new Uint8Array(
    zipSync(
      Object.fromEntries(
        Object.entries(files).map(([name, content]) => [
          name,
          typeof content === 'string' ? strToU8(content) : content,
        ]),
      ),
    ),
  )

/** Somebody with a key, and the steps of a motion designer's tool. */
export type Animator = Awaited<ReturnType<typeof newAnimator>>

export async function newAnimator(server: TestApp) {
  const { id, key } = await newOrganization(server.database)
  const ctx = server.app.systemContext(id, 'test')
  const { id: themeId } = await createTheme(ctx, { name: 'Theme', sports: ['football'], variables: [] })
  return animatorWith(server, id, themeId, key)
}

export function animatorWith(
  server: Pick<TestApp, 'call' | 'database'>,
  organizationId: number,
  themeId: number,
  key: string,
) {
  const root = `/v2/themes/${themeId}/motion-graphics`
  const call = (method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer> =>
    server.call(method, path, { key, body, ...(headers && { headers }) })
  const pathOf = (graphicId: string, below = '') => `${root}/${graphicId}${below}`
  const read = async (graphicId: string): Promise<Graphic> =>
    MotionGraphic.parse(done(await call('GET', pathOf(graphicId))))

  const declare = (
    graphic: Pick<Graphic, 'graphicId' | 'updatedAt'>,
    filename: string,
    bytes: Bytes,
    more: object = {},
  ) => {
    const { target, ...others } = { target: {}, ...more }
    return call('POST', `${root}/uploads`, {
      filename,
      size: bytes.length,
      sha256: sha256(bytes),
      ...others,
      target: { graphicId: graphic.graphicId, updatedAt: graphic.updatedAt, ...target },
    })
  }
  const progress = async (jobId: string): Promise<Import> =>
    MotionImport.parse(done(await call('GET', `${root}/imports/${jobId}`)))
  const settled = (jobId: string, states: readonly string[] = ['ready', 'failed']): Promise<Import> =>
    vi.waitFor(
      async () => {
        const found = await progress(jobId)
        expect(states).toContain(found.state)
        return found
      },
      { timeout: 20_000, interval: 50 },
    )
  /** Opens an upload, sends the bytes, and waits until they were looked at. */
  const send = async (graphicId: string, filename: string, bytes: Bytes, more: object = {}): Promise<Import> => {
    const upload = MotionUpload.parse(done(await declare(await read(graphicId), filename, bytes, more)))
    const answer = await putBytes(upload.url, bytes, upload.headers)
    if (answer.status !== 200) throw new Error(`${answer.status} ${await answer.text()}`)
    return settled(upload.jobId)
  }
  const apply = (jobId: string, body?: object) => call('POST', `${root}/imports/${jobId}/apply`, body ?? {})
  /** A file all the way into the working copy. */
  const bring = async (graphicId: string, filename: string, bytes: Bytes, more: object = {}): Promise<Write> => {
    const { jobId, error } = await send(graphicId, filename, bytes, more)
    expect(error).toBeNull()
    return MotionWrite.parse(done(await apply(jobId)))
  }
  /** In place of the one that a test made before it was tried again. */
  const create = async (name: string, more: object = {}): Promise<Graphic> => {
    const answer = await call('POST', root, { name, ...more })
    if (answer.status !== 400) return MotionGraphic.parse(done(answer))
    const named = MotionGraphicList.parse(done(await call('GET', root))).find((one) => one.name === name)
    if (named) done(await call('DELETE', pathOf(named.graphicId)))
    return MotionGraphic.parse(done(named ? await call('POST', root, { name, ...more }) : answer))
  }
  return {
    organizationId,
    key,
    themeId,
    root,
    call,
    pathOf,
    read,
    declare,
    progress,
    settled,
    send,
    apply,
    bring,
    create,
    /** A graphic that has its motion file. */
    async made(name: string): Promise<Graphic> {
      const { graphicId } = await create(name)
      await bring(graphicId, 'card.riv', riv)
      return read(graphicId)
    },
    /** A write of one part. */
    change: async (method: string, graphicId: string, below: string, body: object): Promise<Write> =>
      MotionWrite.parse(done(await call(method, pathOf(graphicId, below), body))),
    /** The same organization with another key. */
    async colleague() {
      const made = await newKey(server.database, organizationId, ['themes:write'])
      return animatorWith(server, organizationId, themeId, made.key)
    },
  }
}

export function done({ status, body }: Answer) {
  if (status >= 300) throw new Error(`${status} ${JSON.stringify(body)}`)
  return body
}

/** An error of the common set, with the fields that it names: a code is only of the family. */
export const refused = (status: number, ...fields: string[]) => ({
  status,
  // and nothing else: no code
  body: expect.toSatisfy(
    (body) =>
      (status === 400 ? ValidationError : PlainError).safeParse(body).success &&
      fields.every((field) => typeof body.details[field]?.message === 'string'),
  ),
})

/** An error of the family, with the fields that it names. */
export const refusal = (status: number, code: string, ...fields: string[]) => ({
  status,
  body: { code, ...(fields.length > 0 && { details: fields.map((field) => expect.objectContaining({ field })) }) },
})
