import type { Commit } from './feed-ports.ts'

/** Commits that wait for those before them: as many as are read for one gap at once. */
export const LONGEST_GAP = 500

/** Puts the commits of one overlay into order: each once, none before the one before it. */
export class Sequence {
  /** The newest that was handed on; undefined while the state is being read. */
  #position: number | undefined
  readonly #held = new Map<number, Commit>()
  /** The newest seq that a commit is known to have. */
  #newest = 0

  get position(): number | undefined {
    return this.#position
  }

  /** The channel stands at this seq. Answers what can be handed on now. */
  stands(seq: number): Commit[] {
    this.#position = seq
    for (const held of this.#held.keys()) if (held <= seq) this.#held.delete(held)
    return this.#ready()
  }

  /** The state is read anew: nothing can be handed on until it stands. */
  waits(): void {
    this.#position = undefined
    // perhaps they are of a state that is lost; those that are not come again from the journal
    this.#held.clear()
    this.#newest = 0
  }

  /** A commit, in any order and any number of times. Answers what can be handed on now, in order. */
  take(commit: Commit): readonly Commit[] {
    if (commit.seq > this.#newest) this.#newest = commit.seq
    if (this.#position !== undefined && commit.seq <= this.#position) return []
    if (commit.seq - 1 === this.#position && this.#held.size === 0) {
      this.#position = commit.seq
      return [commit]
    }
    // the journal has those that do not fit
    if (this.#held.size < LONGEST_GAP) this.#held.set(commit.seq, commit)
    return this.#ready()
  }

  /** A commit with this seq exists, by the bus or by the journal. */
  exists(seq: number): void {
    if (seq > this.#newest) this.#newest = seq
  }

  /** The commits that are missing before the next held one, or up to the newest that exists. */
  get gap(): { from: number; count: number } | undefined {
    if (this.#position === undefined || this.#newest <= this.#position) return undefined
    let end = this.#newest + 1
    for (const seq of this.#held.keys()) if (seq < end) end = seq
    return { from: this.#position + 1, count: end - this.#position - 1 }
  }

  #ready(): Commit[] {
    const ready: Commit[] = []
    while (this.#position !== undefined) {
      const next = this.#held.get(this.#position + 1)
      if (!next) break
      this.#held.delete(next.seq)
      ready.push(next)
      this.#position = next.seq
    }
    return ready
  }
}
