import { readFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { ImportAnswer, MotionAnswer, MotionUploadAnswer, MotionWritten } from './answers.ts'
import { Refusal } from './api.ts'
import type { BundleFile } from './folder.ts'
import { asWanted, type MotionParts, partsOf, SETTINGS } from './motion-parts.ts'
import { type Session, since, sinceQuery } from './session.ts'

export const MOTION_FILE = 'graphic.riv'
export const ASSETS_FOLDER = 'assets/'

const LOOKS = 600
const LOOK_EVERY_MS = 100

/** The working copy of a motion graphic while it is written. */
type Draft = { graphicId: string; updatedAt: string | undefined; stateMachine: Record<string, unknown> }

/** Writes one motion graphic to what a folder says, part by part. Throws Refusal. */
export class MotionWriter {
  readonly #session: Session
  readonly #name: string
  #draft: Draft = { graphicId: '', updatedAt: undefined, stateMachine: {} }

  constructor(session: Session, name: string) {
    this.#session = session
    this.#name = name
  }

  get #known() {
    const known = this.#session.graphics.get(this.#name)
    if (!known) throw new Error(`the graphic ${this.#name} was not made`)
    return known
  }

  get #theme() {
    return `/v2/themes/${this.#session.themeId}/motion-graphics`
  }

  get #path() {
    return `${this.#theme}/${encodeURIComponent(this.#known.graphicId)}`
  }

  /** Sends `files`, the motion file before its assets, and sets every part that differs. */
  async write(files: readonly BundleFile[], wanted: MotionParts, sports: string[] | undefined): Promise<void> {
    const { api } = this.#session
    const { graphicId, updatedAt } = this.#known
    const found = await api.get(this.#path, MotionAnswer)
    this.#draft = { graphicId, updatedAt: updatedAt ?? found.updatedAt, stateMachine: found.stateMachine }
    const has = found.files.some(({ name }) => name === MOTION_FILE)
    for (const file of files.filter(({ name }) => name === MOTION_FILE))
      await this.#bring(file, has ? MOTION_FILE : undefined)
    for (const file of files.filter(({ name }) => name !== MOTION_FILE)) await this.#bring(file, this.#assetOf(file))
    await this.#writeSettings(wanted)
    await this.#writeVariables(wanted)
    await this.#writeExpressions(wanted)
    await this.#writeBound(wanted)
    if (sports) await this.#change('PATCH', '', { sports })
    this.#known.updatedAt = this.#draft.updatedAt
  }

  #assetOf({ name }: BundleFile): string {
    const uniqueFileName = name.slice(ASSETS_FOLDER.length)
    const assets = Array.isArray(this.#draft.stateMachine.assets) ? this.#draft.stateMachine.assets : []
    const asset = assets.find((one) => one.uniqueFileName === uniqueFileName)
    if (!asset) throw new Refusal(`the motion file has no asset ${uniqueFileName}`, 0)
    return asset.id
  }

  async #bring({ name, path, size, hash }: BundleFile, assetId: string | undefined) {
    const { api, pool, uploaded } = this.#session
    const { graphicId } = this.#draft
    const updatedAt = this.#draft.updatedAt ?? ''
    const body = {
      filename: name.slice(name.lastIndexOf('/') + 1),
      size,
      sha256: hash,
      target: { graphicId, updatedAt, ...(assetId !== undefined && { assetId }) },
    }
    const { jobId, url, headers } = await api.write('POST', `${this.#theme}/uploads`, body, MotionUploadAnswer)
    await pool(async () => api.upload(url, headers, await readFile(path)))
    uploaded(size)
    await this.#looked(jobId, name)
    this.#took(await api.write('POST', `${this.#theme}/imports/${jobId}/apply`, this.#since(), MotionWritten))
  }

  /** Waits until the server has looked at the file. */
  async #looked(jobId: string, name: string) {
    for (let look = 0; look < LOOKS; look++) {
      const { state, error } = await this.#session.api.get(`${this.#theme}/imports/${jobId}`, ImportAnswer)
      if (state === 'ready') return
      if (state === 'failed' || state === 'expired') throw new Refusal(`${name}: ${error ?? state}`, 0)
      await pause(LOOK_EVERY_MS)
    }
    throw new Refusal(`${name}: the server has not looked at it within a minute`, 0)
  }

  get #parts(): MotionParts {
    return partsOf(this.#draft.stateMachine)
  }

  async #writeSettings(wanted: MotionParts) {
    const now = this.#parts
    const next = asWanted(wanted, now)
    const differ = SETTINGS.filter((name) => !isDeepStrictEqual(next[name], now[name]))
    if (differ.length > 0)
      await this.#change('PATCH', '/settings', Object.fromEntries(differ.map((name) => [name, next[name]])))
  }

  async #writeVariables({ controlVariables }: MotionParts) {
    const before = new Map(this.#parts.controlVariables.map((one) => [one.name, one]))
    for (const variable of controlVariables) {
      const old = before.get(variable.name)
      before.delete(variable.name)
      if (isDeepStrictEqual(old, variable)) continue
      // what the folder no longer says of a variable is taken back only with the variable
      const { name, ...rest } = variable
      const keeps = Object.keys(old ?? {}).every((key) => key in variable)
      if (old && keeps) await this.#change('PATCH', `/control-variables/${encodeURIComponent(name)}`, rest)
      else {
        if (old) await this.#remove(`/control-variables/${encodeURIComponent(name)}`)
        await this.#change('POST', '/control-variables', variable)
      }
    }
    for (const name of before.keys()) await this.#remove(`/control-variables/${encodeURIComponent(name)}`)
  }

  /** Each reads those before it: from the first one that differs on they are made anew. */
  async #writeExpressions({ userExpressions }: MotionParts) {
    const before = this.#parts.userExpressions
    const same = userExpressions.findIndex((one, index) => !isDeepStrictEqual(one, before[index]))
    const keep = same < 0 ? userExpressions.length : same
    for (const { name } of before.slice(keep).reverse())
      await this.#remove(`/user-expressions/${encodeURIComponent(name)}`)
    for (const expression of userExpressions.slice(keep)) await this.#change('POST', '/user-expressions', expression)
  }

  async #writeBound(wanted: MotionParts) {
    const now = this.#parts
    await this.#writeEach('data-bindings', 'dataBindings', 'name', wanted.dataBindings, now.dataBindings, [
      'value',
      'exposed',
      'imageTransform',
    ])
    await this.#writeEach(
      'state-machine-inputs',
      'stateMachineInputs',
      'name',
      wanted.stateMachineInputs,
      now.stateMachineInputs,
      ['value'],
    )
    await this.#writeEach('assets', 'assets', 'uniqueFileName', wanted.assets, now.assets, ['exposed'])
  }

  /** Of each list what differs; what the folder leaves out is cleared. */
  async #writeEach(
    segment: string,
    list: 'dataBindings' | 'stateMachineInputs' | 'assets',
    key: 'name' | 'uniqueFileName',
    wanted: readonly Readonly<Record<string, unknown>>[],
    now: readonly Readonly<Record<string, unknown>>[],
    clearable: readonly string[],
  ) {
    const stored = this.#draft.stateMachine[list]
    const ids = new Map((Array.isArray(stored) ? stored : []).map((one) => [one[key], String(one.id)]))
    const names = new Set([...wanted, ...now].map((one) => one[key]))
    for (const name of names) {
      const next = wanted.find((one) => one[key] === name) ?? {}
      if (isDeepStrictEqual(next, now.find((one) => one[key] === name) ?? {})) continue
      const id = ids.get(name)
      if (id === undefined) throw new Refusal(`stateMachine.${list}: the motion file has no ${name}`, 0)
      const body = Object.fromEntries(clearable.map((member) => [member, next[member] ?? null]))
      await this.#change('PATCH', `/${segment}/${encodeURIComponent(id)}`, {
        ...body,
        expression: next.expression ?? '',
      })
    }
  }

  async #change(method: 'POST' | 'PATCH', below: string, body: object) {
    this.#took(await this.#session.api.write(method, this.#path + below, { ...body, ...this.#since() }, MotionWritten))
  }

  async #remove(below: string) {
    const { api } = this.#session
    await api.delete(this.#path + below + sinceQuery(this.#draft.updatedAt))
    // a deletion answers nothing
    this.#took(await api.get(this.#path, MotionAnswer))
  }

  #took({ updatedAt, stateMachine }: { updatedAt: string; stateMachine: Record<string, unknown> }) {
    this.#draft = { ...this.#draft, updatedAt, stateMachine }
  }

  #since() {
    return since(this.#draft.updatedAt)
  }
}
