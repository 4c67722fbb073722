import type { Writable } from 'node:stream'
import type { Owned } from './decoder.ts'
import { transparent } from './planes.ts'

export interface Feed {
  /** Writes from now on. */
  start(pipe: Writable): void
  /** The picture from the next frame on; undefined is none. The one before is given back once it is written. */
  show(planes: Owned | undefined): void
  /** Keeps the picture out of the frames, or lets it in again. */
  setHidden(hidden: boolean): void
}

/**
 * Writes frames for as long as they are taken: the encoder takes as many as it needs, so there is no clock that could run
 * apart from that of the video. It must never wait for a frame, so the same is written again while nothing changes.
 */
export function createFeed(
  { width, height, hidden }: { width: number; height: number; hidden: boolean },
  listener: { taken(): void; done(planes: Owned): void },
): Feed {
  const nothing = transparent(width, height)
  let picture: Owned | undefined
  let isHidden = hidden
  let writing: Owned | undefined

  const write = (pipe: Writable) => {
    const frame = isHidden ? nothing : (picture ?? nothing)
    writing = frame
    pipe.write(frame, (error) => {
      writing = undefined
      if (error) return
      if (frame !== picture && frame !== nothing) listener.done(frame)
      listener.taken()
      write(pipe)
    })
  }

  return {
    start: write,
    show(planes) {
      const before = picture
      picture = planes
      if (before && before !== writing) listener.done(before)
    },
    setHidden(next) {
      isHidden = next
    },
  }
}
