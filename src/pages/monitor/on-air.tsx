import type { LiveGraphic, LiveRenderer } from '../../realtime/followers/live-protocol.ts'
import { worded } from '../../schema/worded.ts'
import { Badge } from '../ui/badge.tsx'
import { elapsed } from '../ui/elapsed.ts'
import { sectionColour } from '../ui/section-colour.ts'
import { valueWorded } from '../ui/value-worded.ts'
import type { Room } from './api.ts'
import { Count, Panel } from './panel.tsx'
import { GraphicProblems, isTroubled } from './problems.tsx'

/** Whether the renderers have painted the commit; none can when there is no renderer, or no program shows one. */
function Painted({ painted, troubled }: Pick<LiveGraphic, 'painted'> & { troubled: boolean }) {
  const { renderers, of, outOfView } = painted
  if (of === 0) return <Badge tone="pending">No renderer</Badge>
  if (renderers === 0 && outOfView === of) return <Badge tone="pending">Out of view</Badge>
  const isMissing = renderers + outOfView < of
  return renderers < of ? (
    <Badge tone={troubled && isMissing ? 'bad' : troubled || isMissing ? 'pending' : 'good'}>
      Painted by {renderers} of {of}
      {outOfView > 0 && `, ${outOfView} out of view`}
    </Badge>
  ) : (
    <Badge tone={troubled ? 'pending' : 'good'}>
      Painted by {of === 1 ? 'the renderer' : of === 2 ? 'both' : `all ${of}`}
    </Badge>
  )
}

/** `rehearsal`: nothing of it is on air. */
type Around = { rehearsal: boolean; renderers: readonly LiveRenderer[]; room: Room | undefined; now: number }

function Graphic({ graphic, rehearsal, renderers, room, now }: Around & { graphic: LiveGraphic }) {
  const preset = room?.presets.find(({ id }) => id === graphic.presetId)
  const section = room?.sections.find(({ id }) => id === graphic.sectionId)
  const troubled = isTroubled(graphic.graphicId, renderers)
  const values = Object.entries(graphic.variableValues).filter(([, value]) => value !== null && value !== '')
  return (
    <li className={troubled ? 'graphic graphic-troubled' : 'graphic'}>
      <span className="graphic-colour" style={{ background: sectionColour(section?.colorKey) }} />
      <div className="graphic-about">
        <div className="graphic-head">
          <h3 className="graphic-name">{preset?.name ?? graphic.graphicName}</h3>
          <p className="graphic-of">
            {[preset && preset.name !== graphic.graphicName ? graphic.graphicName : '', section?.name ?? '']
              .filter(Boolean)
              .join(' · ')}
          </p>
        </div>
        {values.length > 0 && (
          <dl className="graphic-values">
            {values.map(([name, value]) => (
              <div key={name}>
                <dt>{worded(name)}</dt>
                <dd>{graphic.names?.[name] ?? valueWorded(value)}</dd>
              </div>
            ))}
          </dl>
        )}
      </div>
      <div className="graphic-state">
        <span className="graphic-since tabular">
          <span className="visually-hidden">On air for </span>
          {graphic.since === null ? '' : elapsed(now - Date.parse(graphic.since))}
          {graphic.until !== null && ` · off in ${elapsed(Date.parse(graphic.until) - now + 999)}`}
        </span>
        {!rehearsal && <Painted painted={graphic.painted} troubled={troubled} />}
      </div>
      {troubled && <GraphicProblems graphicId={graphic.graphicId} renderers={renderers} />}
    </li>
  )
}

/** The graphics on air and since when, the latest first. */
export function OnAir({ onAir, ...around }: Around & { onAir: readonly LiveGraphic[] }) {
  const latest = [...onAir].sort((one, other) => Date.parse(other.since ?? '') - Date.parse(one.since ?? '') || 0)
  return (
    <Panel
      id="on-air"
      className="on-air"
      title={around.rehearsal ? 'In rehearsal' : 'On air'}
      beside={<Count>{latest.length}</Count>}
    >
      {latest.length === 0 ? (
        <p className="none">{around.rehearsal ? 'Nothing is shown' : 'Nothing is on air'}</p>
      ) : (
        <ul className="graphics">
          {latest.map((graphic) => (
            <Graphic key={graphic.graphicId} graphic={graphic} {...around} />
          ))}
        </ul>
      )}
    </Panel>
  )
}
