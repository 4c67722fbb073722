import { readFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { ImportAnswer, MotionAnswer, MotionUploadAnswer, MotionWritten } from './answers.ts'
import { Refusal } from './api.ts'
import type { BundleFile } from './local-graphic.ts'
import { ASSETS_FOLDER, asWanted, MOTION_FILE, type MotionParts, partsOf, SETTINGS } from './motion-parts.ts'
import { type Session, since, sinceQuery } from './session.ts'

const LOOKS = 600
const LOOK_EVERY_MS = 100

/** The working copy of a motion graphic while it is written. */
type Draft = { graphicId: string; updatedAt: string | undefined; stateMachine: Record<string, unknown> }

/** Makes one motion graphic as a folder has it, part by part. Throws Refusal. */
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
    const parts = asWanted(wanted, this.#parts)
    await this.#writeSettings(parts)
    await this.#writeVariables(parts)
    await this.#writeExpressions(parts)
    await this.#writeBound(parts)
    // an expression that another one read until now may go only now
    await this.#removeOthers('user-expressions', this.#parts.userExpressions, parts.userExpressions)
    await this.#removeOthers('control-variables', this.#parts.controlVariables, parts.controlVariables)
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
    const differ = SETTINGS.filter((name) => !isDeepStrictEqual(wanted[name], now[name]))
    if (differ.length > 0)
      await this.#change('PATCH', '/settings', Object.fromEntries(differ.map((name) => [name, wanted[name]])))
  }

  async #writeVariables({ controlVariables }: MotionParts) {
    const before = new Map(this.#parts.controlVariables.map((one) => [one.name, one]))
    for (const variable of controlVariables) {
      const { name, type, options, defaultValue = null, description = '', exitMode = 'deferred' } = variable
      const old = before.get(name)
      if (isDeepStrictEqual(old, variable)) continue
      const body = { type, defaultValue, description, exitMode, ...(options && { options }) }
      if (old) await this.#change('PATCH', `/control-variables/${encodeURIComponent(name)}`, body)
      else await this.#change('POST', '/control-variables', variable)
    }
  }

  /** Each reads those before it, and a new one comes after all others: where that is not its place they are made anew. */
  async #writeExpressions({ userExpressions }: MotionParts) {
    const names = userExpressions.map(({ name }) => name)
    const now = this.#parts.userExpressions
    const common = now.filter(({ name }) => names.includes(name))
    const inPlace = common.every(({ name }, index) => name === names[index])
    if (!inPlace) await this.#removeExpressions(now)
    const before = new Map(inPlace ? common.map((one) => [one.name, one]) : [])
    for (const one of userExpressions) {
      const { name, expression, description = '' } = one
      const old = before.get(name)
      if (isDeepStrictEqual(old, one)) continue
      if (old) await this.#change('PATCH', `/user-expressions/${encodeURIComponent(name)}`, { expression, description })
      else await this.#change('POST', '/user-expressions', one)
    }
  }

  /** Removes all of them, once their readers are bound to nothing; these are bound again afterwards. */
  async #removeExpressions(expressions: readonly { name: string }[]) {
    const { dataBindings, stateMachineInputs, assets } = this.#parts
    const blank = <T extends { expression: string }>(bound: readonly T[]) =>
      bound.map((one) => ({ ...one, expression: '' }))
    await this.#writeBound({
      ...this.#parts,
      dataBindings: blank(dataBindings),
      stateMachineInputs: blank(stateMachineInputs),
      assets: blank(assets),
    })
    await this.#removeOthers('user-expressions', expressions, [])
  }

  /** From the last on: a later one may read those before it. */
  async #removeOthers(segment: string, now: readonly { name: string }[], wanted: readonly { name: string }[]) {
    const names = new Set(wanted.map(({ name }) => name))
    for (const { name } of [...now].reverse())
      if (!names.has(name)) await this.#remove(`/${segment}/${encodeURIComponent(name)}`)
  }

  async #writeBound(wanted: MotionParts) {
    const now = this.#parts
    await this.#writeEach('data-bindings', 'dataBindings', 'name', wanted.dataBindings, now.dataBindings, [
      'value',
      'exposed',
      'imageTransform',
      'viewModelProperty',
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

  /** Writes entries of each list that differ; members that the folder leaves out are cleared. */
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
