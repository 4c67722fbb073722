/**
 * How large a pattern becomes: instructions of its program, and steps of compiling it: those of each copy of a part that is
 * repeated, and those of finding out once which characters classes hold. All are upper bounds; a step is a microsecond at most.
 */
export type PatternSize = { instructions: number; copied: number; once: number }

// measured with re2js 2.10
const CHARACTER = 4
const CLASS = { copied: 8, once: 0 }
const PROPERTY = { copied: 20, once: 200 }
const RANGE = { copied: 0, once: 40 }
// the characters of a wide class without case are looked up one by one
const FOLDED_RANGE = { copied: 20, once: 800 }
const CLASS_MEMBER = { copied: 0, once: CHARACTER }

// flags alone, and a literal of no characters
const NOTHING_HELD = /\(\?[a-zA-Z-]*\)|\\Q\\E/y
const PROPERTY_NAME = /\\[pP](?:\{[^}]*\}?|.|$)/suy

/** Tells the size of an RE2 pattern without compiling it, repeats written out. One that is broken has some size, too. */
export function patternSize(source: string): PatternSize {
  return new Scanner(source).all()
}

/** Reads a pattern once, from left to right. */
class Scanner {
  readonly #source: string
  readonly #folded: boolean
  #at = 0

  constructor(source: string) {
    this.#source = source
    // wherever it begins, and whether or not it ends again
    this.#folded = /\(\?[a-zA-Z]*i/.test(source)
  }

  all(): PatternSize {
    const size = characters(3)
    while (this.#at < this.#source.length) {
      add(size, this.#sequence())
      // a bracket that closes nothing
      this.#at++
    }
    return size
  }

  /** Up to the bracket that ends it. */
  #sequence(): PatternSize {
    const size = characters(0)
    while (this.#at < this.#source.length && this.#source[this.#at] !== ')') add(size, this.#repeated(this.#atom()))
    return size
  }

  #repeated(size: PatternSize): PatternSize {
    for (;;) {
      // parts that hold nothing stand between an atom and its repeat as if they were not there
      while (this.#next(NOTHING_HELD));
      const [whole, least = '0', range, most] = this.#next(/[*+?]|\{(\d+)(,(\d*))?\}/y) ?? []
      if (whole === undefined) return size
      const times = Math.max(1, Number(least) + (range === ',' ? 1 : 0), Number(most ?? 0))
      const choices = 2 + (range === undefined ? 0 : Math.max(0, times - Number(least)))
      size.instructions = size.instructions * times + choices
      size.copied = size.copied * times + choices * CHARACTER
    }
  }

  #atom(): PatternSize {
    if (this.#next(NOTHING_HELD)) return characters(0)
    if (this.#next(/\[/y)) return this.#class()
    // either side may be empty, which is an instruction as well
    if (this.#next(/\|/y)) return characters(2)
    if (this.#next(/\\Q/y)) return characters(this.#next(/.*?(?:\\E|$)/sy)?.[0].length ?? 0)
    if (this.#next(PROPERTY_NAME)) return classOf([PROPERTY])
    if (this.#next(/\\[dDwWsS]|\./y)) return classOf([])
    if (this.#next(/\\x\{[^}]*\}|\\.|\\$/suy)) return characters(1)
    if (!this.#next(/\(/y)) return characters(this.#next(/./suy)?.[0].length ?? 0)
    this.#next(/\?(?:P?<[^>]*>|[a-zA-Z-]*:)/y)
    const size = this.#sequence()
    this.#next(/\)/y)
    return add(size, characters(3))
  }

  /** After its opening bracket. */
  #class(): PatternSize {
    this.#next(/\^?\]?/y)
    const members: Member[] = []
    while (this.#at < this.#source.length && !this.#next(/\]/y)) members.push(this.#member())
    return classOf(members)
  }

  #member(): Member {
    if (this.#next(/\[:[^\]]*:\]/y)) return RANGE
    if (this.#next(PROPERTY_NAME)) return PROPERTY
    this.#next(/\\x\{[^}]*\}|\\.|./suy)
    if (this.#source[this.#at] !== '-') return CLASS_MEMBER
    const isWide = !/[ -[\]-~]/.test(this.#source[this.#at + 1] ?? '')
    return this.#folded && isWide ? FOLDED_RANGE : RANGE
  }

  #next(expression: RegExp): RegExpExecArray | undefined {
    expression.lastIndex = this.#at
    const found = expression.exec(this.#source) ?? undefined
    if (found) this.#at = expression.lastIndex
    return found
  }
}

type Member = { copied: number; once: number }

const characters = (count: number): PatternSize => ({ instructions: count, copied: count * CHARACTER, once: 0 })

function classOf(members: readonly Member[]): PatternSize {
  const size = { instructions: 1, ...CLASS }
  for (const { copied, once } of members) add(size, { instructions: 0, copied, once })
  return size
}

function add(size: PatternSize, more: PatternSize): PatternSize {
  size.instructions += more.instructions
  size.copied += more.copied
  size.once += more.once
  return size
}
