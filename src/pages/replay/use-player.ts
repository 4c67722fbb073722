import { useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { momentsOf } from './moments.ts'
import { Player } from './player.ts'
import type { Graphic, Recorded } from './recorded.ts'
import { Screen } from './screen.ts'

/** The player of a record with its screen, and where it is. `?at=` says where it begins. */
export function usePlayer(recorded: Recorded) {
  const [problem, setProblem] = useState('')
  const made = useMemo(() => {
    const moments = momentsOf(recorded)
    const screen = new Screen(setProblem)
    const span = { from: Date.parse(recorded.from), to: Date.parse(recorded.to) }
    return { moments, screen, span, player: new Player(moments, screen, span) }
  }, [recorded])
  const state = useSyncExternalStore(made.player.subscribe, made.player.state)
  return { ...made, state, problem }
}

/** Begins once the screen is in the page. */
export function useBeginning({ moments, screen, player, span }: ReturnType<typeof usePlayer>) {
  useEffect(() => {
    // the newest address of each graphic, since that is the one most of it was shown with
    const graphics = new Map<string, Graphic>()
    for (const moment of moments) for (const [id, graphic] of moment.graphics) graphics.set(id, graphic)
    screen.preload([...graphics.values()])
    const at = Date.parse(new URLSearchParams(location.search).get('at') ?? '')
    player.seek(Number.isNaN(at) ? span.from : at)
    return () => player.stop()
  }, [moments, screen, player, span])
}
