import type { MotionBinding } from '../../motion/manifest.ts'
import { untilHad } from './again.ts'
import { loadPicture } from './pictures.ts'
import type { File, RiveCanvas, ViewModelInstance } from './runtime.ts'
import { argbOf, booleanOf, isRecord, numberOf, textOf, type Value } from './values.ts'

type Parts = {
  rive: RiveCanvas
  file: File
  instance: ViewModelInstance
  /** Something was set later than it was asked for. */
  changed(): void
  problem(text: string): void
}

/** The properties of one view model instance, by path. A value of null gives a property back the file's value. */
export class Properties {
  readonly #parts: Parts
  readonly #initial = new Map<string, string | number | boolean>()
  readonly #given = new Map<string, string>()
  /** Texts that change by themselves. */
  readonly #running = new Map<string, Value>()
  /** Instances in lists, which the runtime keeps until it is told that they are not needed. */
  readonly #rows = new Map<string, { instance: ViewModelInstance; properties: Properties }[]>()
  #deleted = false

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** Resolves at once but for a picture. */
  async set(binding: MotionBinding, value: Value, now: number): Promise<void> {
    const { instance } = this.#parts
    const { path, type } = binding
    switch (type) {
      case 'string':
        return this.#setText(path, value, now)
      case 'number':
        return this.#assign(instance.number(path), path, numberOf(value) ?? numberOf(binding.value))
      case 'boolean':
        return this.#assign(instance.boolean(path), path, isNothing(value) ? undefined : booleanOf(value))
      case 'color':
        return this.#assign(instance.color(path), path, argbOf(value) ?? argbOf(binding.value))
      case 'enum': {
        const property = instance.enum(path)
        const known = [value, binding.value].map(String).find((one) => property?.values.includes(one))
        return this.#assign(property, path, known)
      }
      case 'trigger':
        if (this.#isNew(path, value, 'first') && booleanOf(value)) instance.trigger(path)?.trigger()
        return
      case 'list':
        return this.#setList(binding, value, now)
      case 'image':
        return this.#setPicture(binding, value)
    }
  }

  /** To be called before the instance goes: a picture may still be on its way to it. */
  delete() {
    this.#deleted = true
    for (const path of this.#rows.keys()) this.#dropRows(path)
  }

  #dropRows(path: string) {
    for (const { instance, properties } of this.#rows.get(path) ?? []) {
      properties.delete()
      instance.delete()
    }
    this.#rows.delete(path)
  }

  /** Draws texts that run; milliseconds until one of them changes again. */
  tick(now: number): number | undefined {
    let again: number | undefined
    for (const [path, value] of this.#running) {
      const { text, againMs } = textOf(value, now)
      const property = this.#parts.instance.string(path)
      if (property && property.value !== text) property.value = text
      if (againMs !== undefined) again = Math.min(again ?? againMs, againMs)
    }
    return again
  }

  #setText(path: string, value: Value, now: number) {
    const shown = isNothing(value) ? undefined : textOf(value, now)
    if (shown?.againMs === undefined) this.#running.delete(path)
    else this.#running.set(path, value)
    this.#assign(this.#parts.instance.string(path), path, shown?.text)
  }

  #assign<T extends string | number | boolean>(property: { value: T } | null, path: string, value: T | undefined) {
    if (!property) return
    if (!this.#initial.has(path)) this.#initial.set(path, property.value)
    const next = value ?? asSame(property.value, this.#initial.get(path))
    if (property.value !== next) property.value = next
  }

  /** `first`: whether the first value counts as one that is new, which only `true` does. */
  #isNew(path: string, value: Value, first?: 'first'): boolean {
    const key = JSON.stringify(value ?? null)
    const known = this.#given.get(path)
    this.#given.set(path, key)
    return known === undefined && first ? value === true : known !== key
  }

  #setList({ path, listModel }: MotionBinding, value: Value, now: number) {
    const { instance } = this.#parts
    if (!this.#isNew(path, value)) return
    const list = instance.list(path)
    const items: Value[] = Array.isArray(value) ? value : []
    const model = this.#modelOf(items[0], listModel)
    if (!list || (items.length > 0 && !model)) return
    while (list.size > 0) list.removeInstanceAt(list.size - 1)
    this.#dropRows(path)
    if (!model) return
    const rows = items.map((item) => {
      const row = model.instance()
      const properties = new Properties({ ...this.#parts, instance: row })
      for (const { name, type } of row.getProperties()) {
        const given = isRecord(item) ? item[name] : item
        const kind = String(type) === 'enumType' ? 'enum' : String(type)
        void properties.set(
          { id: '', value: null, computed: true, viewModel: model.name, path: name, type: kind },
          given,
          now,
        )
      }
      list.addInstance(row)
      return { instance: row, properties }
    })
    this.#rows.set(path, rows)
  }

  /** The view model of the items of a list: the one that is named, or has most of the first item's properties. */
  #modelOf(item: Value, name: string | undefined) {
    const { file } = this.#parts
    if (name !== undefined) return file.viewModelByName(name)
    const members = isRecord(item) ? Object.keys(item) : []
    let best: { model: ReturnType<File['viewModelByIndex']>; fits: number } | undefined
    for (let index = 0; index < file.viewModelCount(); index++) {
      const model = file.viewModelByIndex(index)
      const fits = model.getProperties().filter((property) => members.includes(property.name)).length
      if (fits > (best?.fits ?? 0)) best = { model, fits }
    }
    return best?.model
  }

  async #setPicture({ path, image, transform }: MotionBinding, value: Value) {
    const { rive, instance, changed, problem } = this.#parts
    const url = typeof value === 'string' ? value : ''
    if (!this.#isNew(path, url)) return
    // another one may have been asked for meanwhile
    const isAsked = () => !this.#deleted && this.#given.get(path) === JSON.stringify(url)
    const property = instance.image(path)
    if (!property) return
    if (url === '') {
      property.value(null)
      return
    }
    const fetchIt = async (attempt: number) => {
      const bytes = await loadPicture(url, { transform, wanted: image, attempt })
      if (!isAsked()) return
      await new Promise<void>((resolve) =>
        rive.decodeImage(bytes, (decoded) => {
          if (isAsked()) property.value(decoded)
          decoded.unref()
          resolve()
        }),
      )
      changed()
    }
    await untilHad(fetchIt, { isAsked, problem })
  }
}

const isNothing = (value: Value) => value === null || value === undefined

/** A value read of a property is of its type. */
const asSame = <T>(_like: T, initial: unknown) => initial as T
