/** A picture as a `data:` URL; undefined: there is none; `later`: it is being made. */
export type StillAnswer = string | undefined | 'later'

type Parts = {
  read(url: string): Promise<StillAnswer>
  /** Runs it when one that is being made is worth asking for again. */
  later(run: () => void): void
  /** How often one is asked for. */
  tries: number
}

type Asked = { url: string; tries: number; show(src: string | undefined): void; isFirst: boolean; isOver: boolean }

/**
 * Asks for pictures one after the other: a page has few connections, and a press must find one. Each behind those that were asked for before;
 * `isFirst`: before them, for somebody has just changed what it shows and looks for it. `show` is told of it, or of none. Answers how to give up.
 */
export function stillLine({ read, later, tries }: Parts) {
  const waiting: Asked[] = []
  let isFetching = false

  const fetchOne = async (asked: Asked) => {
    const answer = await read(asked.url)
    if (asked.isOver) return
    if (answer !== 'later') asked.show(answer)
    else if (++asked.tries < tries) later(() => enter(asked))
  }
  const next = () => {
    if (isFetching) return
    const asked = waiting.shift()
    if (!asked) return
    if (asked.isOver) {
      next()
      return
    }
    isFetching = true
    void fetchOne(asked).finally(() => {
      isFetching = false
      next()
    })
  }
  const enter = (asked: Asked) => {
    if (asked.isFirst) waiting.unshift(asked)
    else waiting.push(asked)
    next()
  }

  return (url: string, show: Asked['show'], { isFirst = false } = {}): (() => void) => {
    const asked: Asked = { url, tries: 0, show, isFirst, isOver: false }
    enter(asked)
    return () => {
      asked.isOver = true
    }
  }
}
