/** A registered path that was found, with its target. */
export type Match<T> = {
  /** Undefined when the path is known but not with this method. */
  value: T | undefined
  /** Segments that stand for parameters, as sent, in order. */
  raw: readonly string[]
  /** Methods of the path, for `Allow`. */
  allow: string
  /** The targets of the path, by method. */
  byMethod: ReadonlyMap<string, T>
}

type Entry<T> = { byMethod: Map<string, T>; allow: string }
type Node<T> = {
  fixed: Map<string, Node<T>>
  param: Node<T> | undefined
  end: Entry<T> | undefined
  rest: Entry<T> | undefined
}

const newNode = <T>(): Node<T> => ({ fixed: new Map(), param: undefined, end: undefined, rest: undefined })

/** Names of the parameters of a path, in order. */
export const paramNames = (path: string): string[] => [...path.matchAll(/\{(\w+)\*?\}/g)].map(([, name]) => name ?? '')

/** Paths with `{name}` for one segment and a last `{name*}` for the rest; a fixed segment wins over a parameter. */
export class Matcher<T> {
  readonly #root = newNode<T>()

  add(method: string, path: string, value: T): void {
    let node = this.#root
    let entry: Entry<T> | undefined
    for (const segment of path.slice(1).split('/')) {
      if (segment.endsWith('*}')) {
        node.rest ??= { byMethod: new Map(), allow: '' }
        entry = node.rest
      } else if (segment.startsWith('{')) {
        node.param ??= newNode<T>()
        node = node.param
      } else {
        const next = node.fixed.get(segment) ?? newNode<T>()
        node.fixed.set(segment, next)
        node = next
      }
    }
    if (!entry) {
      node.end ??= { byMethod: new Map(), allow: '' }
      entry = node.end
    }
    if (entry.byMethod.has(method)) throw new Error(`${method} ${path} is registered twice`)
    entry.byMethod.set(method, value)
    const methods = [...entry.byMethod.keys()]
    entry.allow = [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ')
  }

  /** HEAD finds what GET finds. Undefined when the path is unknown. */
  find(method: string, path: string): Match<T> | undefined {
    const raw: string[] = []
    const entry = this.#walk(this.#root, path, 1, raw)
    if (!entry) return undefined
    const { byMethod, allow } = entry
    return { value: byMethod.get(method === 'HEAD' ? 'GET' : method), raw, allow, byMethod }
  }

  #walk(node: Node<T>, path: string, from: number, raw: string[]): Entry<T> | undefined {
    const slash = path.indexOf('/', from)
    const segment = slash < 0 ? path.slice(from) : path.slice(from, slash)
    const fixed = node.fixed.get(segment)
    const found = fixed && (slash < 0 ? fixed.end : this.#walk(fixed, path, slash + 1, raw))
    if (found) return found
    if (node.param && segment !== '') {
      raw.push(segment)
      const found = slash < 0 ? node.param.end : this.#walk(node.param, path, slash + 1, raw)
      if (found) return found
      raw.pop()
    }
    if (node.rest) raw.push(path.slice(from))
    return node.rest
  }
}
