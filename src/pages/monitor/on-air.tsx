import type { LiveGraphic } from '../../realtime/live-protocol.ts'
import { worded } from '../../schema/worded.ts'
import { Badge } from '../ui/badge.tsx'
import { elapsed } from '../ui/elapsed.ts'
import { sectionColour } from '../ui/section-colour.ts'
import { valueWorded } from '../ui/value-worded.ts'
import type { Room } from './api.ts'
import { Count, Panel } from './panel.tsx'

/** Whether the renderers have what was committed; nobody can have what nobody renders. */
function Painted({ painted: { renderers, of } }: Pick<LiveGraphic, 'painted'>) {
  if (of === 0) return <Badge tone="pending">No renderer</Badge>
  return renderers < of ? (
    <Badge tone="pending">
      Painted by {renderers} of {of}
    </Badge>
  ) : (
    <Badge tone="good">Painted by {of === 1 ? 'the renderer' : of === 2 ? 'both' : `all ${of}`}</Badge>
  )
}

function Graphic({ graphic, room, now }: { graphic: LiveGraphic; room: Room | undefined; now: number }) {
  const preset = room?.presets.find(({ id }) => id === graphic.presetId)
  const section = room?.sections.find(({ id }) => id === graphic.sectionId)
  const values = Object.entries(graphic.variableValues).filter(([, value]) => value !== null && value !== '')
  return (
    <li className="graphic">
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
        </span>
        <Painted painted={graphic.painted} />
      </div>
    </li>
  )
}

/** What is on air and since when, the latest first. */
export function OnAir({ onAir, room, now }: { onAir: readonly LiveGraphic[]; room: Room | undefined; now: number }) {
  const latest = [...onAir].sort((one, other) => Date.parse(other.since ?? '') - Date.parse(one.since ?? '') || 0)
  return (
    <Panel id="on-air" className="on-air" title="On air" beside={<Count>{latest.length}</Count>}>
      {latest.length === 0 ? (
        <p className="none">Nothing is on air</p>
      ) : (
        <ul className="graphics">
          {latest.map((graphic) => (
            <Graphic key={graphic.graphicId} graphic={graphic} room={room} now={now} />
          ))}
        </ul>
      )}
    </Panel>
  )
}
