import { Button } from '../ui/button.tsx'
import { timeOfDay } from '../ui/elapsed.ts'
import { type Player, type PlayerState, SPEEDS } from './player.ts'

/** Play, steps and speeds. */
export function Transport({ player, state }: { player: Player; state: PlayerState }) {
  return (
    <div className="transport">
      <Button onClick={() => player.step(-1)}>
        Previous change <kbd>←</kbd>
      </Button>
      <Button {...(!state.playing && { look: 'primary' })} className="transport-play" onClick={() => player.toggle()}>
        {state.playing ? 'Pause' : 'Play'} <kbd>Space</kbd>
      </Button>
      <Button onClick={() => player.step(1)}>
        Next change <kbd>→</kbd>
      </Button>
      <output className="transport-time tabular" aria-label="Time">
        {timeOfDay(state.position)}
      </output>
      <fieldset className="speeds">
        <legend className="visually-hidden">Speed</legend>
        {SPEEDS.map((speed) => (
          <label key={speed} className="speed">
            <input
              type="radio"
              name="speed"
              className="visually-hidden"
              checked={state.speed === speed}
              onChange={() => {
                player.speed = speed
              }}
            />
            <span className="tabular">{speed}×</span>
          </label>
        ))}
      </fieldset>
    </div>
  )
}
