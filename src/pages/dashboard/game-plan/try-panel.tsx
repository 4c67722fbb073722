import { useEffect, useMemo, useState } from 'react'
import { SelectField } from '../../ui/field.tsx'
import { lengthOf } from '../../ui/moment.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Table } from '../../ui/table.tsx'
import { matchName } from '../match-names.ts'
import { Empty, Failure } from '../parts.tsx'
import type { Match, ScenarioList, ThemeProfile } from '../shapes.ts'
import type { Draft } from './draft.ts'
import { lanesOf, type neverShown, onAirAt, spanOf } from './lanes.ts'
import { OnAirPicture } from './on-air-picture.tsx'
import type { PlanPlace } from './rule-form.tsx'
import { Timeline } from './timeline.tsx'
import { TimelineLog } from './timeline-log.tsx'
import type { Simulated, Stage } from './use-simulation.ts'

type Props = {
  rules: readonly Draft[]
  place: PlanPlace
  profile: ThemeProfile
  scenarios: ScenarioList['scenarios']
  stage: Stage | undefined
  onStage: (stage: Stage) => void
  simulated: Simulated | undefined
  /** The rules that were never shown in it. */
  never: ReturnType<typeof neverShown>
  error: unknown
}

/** The rules played on one match: when each graphic is on air and why one is not, with the picture of a moment. */
export function TryPanel({ rules, place, profile, scenarios, stage, onStage, simulated, never, error }: Props) {
  const timeline = simulated?.timeline
  const lanes = useMemo(() => lanesOf(timeline ?? [], rules), [timeline, rules])
  const span = useMemo(() => spanOf(timeline ?? []), [timeline])
  const [chosenMs, setChosenMs] = useState<number>()
  // before somebody has chosen, the first moment with something to see
  const first = Math.min(...lanes.flatMap(({ bars }) => bars.map(({ fromMs }) => fromMs + 1_000)))
  const atMs = Math.max(span.fromMs, Math.min(span.toMs, chosenMs ?? (Number.isFinite(first) ? first : 0)))
  // a picture is drawn where the slider rests
  const restedMs = useRested(atMs)
  const onAir = onAirAt(lanes, restedMs)
  const gaps = rules.filter(({ presetId }) => presetId === null).length
  return (
    <>
      <Stages scenarios={scenarios} matches={place.matches} stage={stage} onStage={onStage} />
      <Failure error={error} />
      {gaps > 0 && (
        <p className="notice">
          {gaps === 1 ? 'A rule without a preset is' : `${gaps} rules without a preset are`} left out here.
        </p>
      )}
      {[...never].map(([id, { name, why }]) => (
        <p className="notice" key={id}>
          <b>{name}</b> is never shown here: {why}
        </p>
      ))}
      {simulated && simulated.timeline.length === 0 && (
        <Empty>None of the rules has anything to show in this match, or to leave out.</Empty>
      )}
      {simulated && simulated.timeline.length > 0 && (
        <>
          <div className="try-columns">
            <Panel title="When" about="Bars are on air, crosses were not shown. Choose a moment to see its picture">
              <Timeline lanes={lanes} span={span} atMs={atMs} onMoment={setChosenMs} />
            </Panel>
            <OnAirPicture
              bars={onAir}
              atMs={restedMs}
              moment={momentOf(simulated, restedMs)}
              place={place}
              profile={profile}
              rules={rules}
              stage={stage}
            />
          </div>
          <div className="try-columns">
            <TimelineLog lines={simulated.timeline} rules={rules} atMs={atMs} onMoment={setChosenMs} />
            <Shares simulated={simulated} />
          </div>
        </>
      )}
    </>
  )
}

const REST_MS = 150

/** The value once it has not changed for a moment. */
function useRested(value: number): number {
  const [rested, setRested] = useState(value)
  useEffect(() => {
    const timer = window.setTimeout(() => setRested(value), REST_MS)
    return () => window.clearTimeout(timer)
  }, [value])
  return rested
}

/** The moment as a time of day of the match that was played. */
function momentOf({ timeline }: Simulated, atMs: number): string | undefined {
  const [line] = timeline
  return line && new Date(Date.parse(line.at) - line.matchMs + atMs).toISOString()
}

function Stages({
  scenarios,
  matches,
  stage,
  onStage,
}: {
  scenarios: ScenarioList['scenarios']
  matches: readonly Match[]
  stage: Stage | undefined
  onStage: (stage: Stage) => void
}) {
  return (
    <div className="filters filters-wide">
      <SelectField
        label="Play the rules on"
        hint="As they are now, saved or not. Nothing goes on air"
        value={stage ?? ''}
        onChange={({ target }) => onStage(target.value)}
      >
        <optgroup label="A made-up match, up to">
          {scenarios.map(({ id, name, description }) => (
            <option key={id} value={`scenario:${id}`}>
              {`${name}: ${description.charAt(0).toLowerCase()}${description.slice(1)}`}
            </option>
          ))}
        </optgroup>
        {matches.length > 0 && (
          <optgroup label="A match as it was recorded">
            {matches.map((match) => (
              <option key={match.id} value={`match:${match.id}`}>
                {matchName(match)}
              </option>
            ))}
          </optgroup>
        )}
      </SelectField>
    </div>
  )
}

function Shares({ simulated: { seconds, brands } }: { simulated: Simulated }) {
  return (
    <Panel title="Time on air">
      <Seconds label="By graphic" of="Graphic" seconds={seconds} />
      {Object.keys(brands).length > 0 && <Seconds label="By brand" of="Brand" seconds={brands} />}
      {Object.keys(seconds).length === 0 && <p className="cell-about">Nothing was shown.</p>}
    </Panel>
  )
}

function Seconds({ label, of, seconds }: { label: string; of: string; seconds: Readonly<Record<string, number>> }) {
  const rows = Object.entries(seconds).sort(([, one], [, other]) => other - one)
  const most = Math.max(1, ...rows.map(([, count]) => count))
  if (rows.length === 0) return null
  return (
    <Table label={label} columns={[of, 'On air']}>
      {rows.map(([name, count]) => (
        <tr key={name}>
          <td className="cell-wrap">
            {name}
            <span className="try-share" style={{ width: `${(100 * count) / most}%` }} />
          </td>
          <td className="cell-number">{lengthOf(count)}</td>
        </tr>
      ))}
    </Table>
  )
}
