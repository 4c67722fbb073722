import { useState } from 'react'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { sectionColour } from '../../ui/section-colour.ts'
import { Still } from '../../ui/still.tsx'
import { Table } from '../../ui/table.tsx'
import { valueWorded } from '../../ui/value-worded.ts'
import { api, restUrl } from '../api.ts'
import { Confirm } from '../confirm.tsx'
import { Failure } from '../parts.tsx'
import type { Preset, RoomDetail, Section } from '../shapes.ts'
import { useCommand } from '../use-command.ts'
import { NameDialog } from './name-dialog.tsx'
import { Order } from './order.tsx'
import { PresetDialog } from './preset-dialog.tsx'

type Props = {
  room: RoomDetail
  section: Section
  mayChange: boolean
  reload: () => Promise<void>
  onUp?: () => void
  onDown?: () => void
}

type Renamed = {
  title: string
  path: string
  name: string
  readAt: string
  colorKey?: string | undefined
  coloured: boolean
}

/** The dialog that is open over the section. */
type Asked = { to: 'make' | 'deleteSection' } | { to: 'change' | 'delete'; preset: Preset }

/** A section with its presets in the order in which operators see them. */
export function SectionPanel({ room, section, mayChange, reload, onUp, onDown }: Props) {
  const [renamed, setRenamed] = useState<Renamed>()
  const [asked, setAsked] = useState<Asked>()
  const path = `/v2/control-rooms/${room.id}`
  const place = useCommand(async ({ presetId, ...body }: { presetId: number; orderIndex: number }, key) => {
    try {
      const preset = room.presets.find(({ id }) => id === presetId)
      await api('PATCH', `${path}/presets/${presetId}`, { body: { ...body, ifUnchangedSince: preset?.updatedAt }, key })
    } finally {
      await reload()
    }
  })
  const remove = async (at: string, query: Record<string, string>, key: string) => {
    try {
      await api('DELETE', `${at}?${new URLSearchParams(query)}`, { key })
    } finally {
      await reload()
    }
  }
  const presets = room.presets
    .filter(({ sectionId }) => sectionId === section.id)
    .sort((one, other) => one.orderIndex - other.orderIndex)
  return (
    <section
      className="panel section-panel"
      aria-label={section.name}
      style={{ borderLeftColor: sectionColour(section.colorKey) }}
    >
      <div className="panel-head">
        <h2 className="panel-title">{section.name}</h2>
        {mayChange && (
          <div className="page-actions">
            <Button small onClick={() => setAsked({ to: 'make' })}>
              Add a preset…<span className="visually-hidden"> to {section.name}</span>
            </Button>
            <Order name={section.name} onUp={onUp} onDown={onDown} />
            <Button
              small
              onClick={() =>
                setRenamed({
                  title: 'Change the section',
                  path: `${path}/sections/${encodeURIComponent(section.id)}`,
                  name: section.name,
                  readAt: room.updatedAt,
                  colorKey: section.colorKey,
                  coloured: true,
                })
              }
            >
              Change<span className="visually-hidden"> {section.name}</span>
            </Button>
            <Button small onClick={() => setAsked({ to: 'deleteSection' })}>
              Delete<span className="visually-hidden"> {section.name}</span>
            </Button>
          </div>
        )}
      </div>
      <Failure error={place.error} />
      {presets.length === 0 ? (
        <p className="cell-about">No presets in this section.</p>
      ) : (
        <Table
          label={`Presets of ${section.name}`}
          columns={['Preset', 'Graphic', 'Stored values', 'Operators can set', '']}
        >
          {presets.map((preset, index) => (
            <tr key={preset.id}>
              <td>
                <div className="preset-name">
                  <span className="preset-still">
                    <Still
                      url={restUrl(`${path}/presets/${preset.id}/still`)}
                      revision={room.theme.activeVersion}
                      subject={preset.updatedAt}
                    />
                  </span>
                  {preset.name}
                </div>
              </td>
              <td>{preset.graphicName || <Badge tone="bad">Graphic is gone</Badge>}</td>
              <td className="cell-wrap">{valuesOf(preset)}</td>
              <td className="cell-wrap">{preset.exposedVariables.join(', ') || '–'}</td>
              <td className="cell-actions">
                {mayChange && (
                  <>
                    <Order
                      name={preset.name}
                      onUp={
                        index > 0 ? () => void place.run({ presetId: preset.id, orderIndex: index - 1 }) : undefined
                      }
                      onDown={
                        index < presets.length - 1
                          ? () => void place.run({ presetId: preset.id, orderIndex: index + 1 })
                          : undefined
                      }
                    />
                    <Button small onClick={() => setAsked({ to: 'change', preset })}>
                      Change<span className="visually-hidden"> {preset.name}</span>
                    </Button>
                    <Button small onClick={() => setAsked({ to: 'delete', preset })}>
                      Delete<span className="visually-hidden"> {preset.name}</span>
                    </Button>
                  </>
                )}
              </td>
            </tr>
          ))}
        </Table>
      )}
      {renamed && <NameDialog {...renamed} onClose={() => setRenamed(undefined)} reload={reload} />}
      {(asked?.to === 'make' || asked?.to === 'change') && (
        <PresetDialog
          room={room}
          sectionId={section.id}
          {...(asked.to === 'change' && { preset: asked.preset })}
          onClose={() => setAsked(undefined)}
          reload={reload}
        />
      )}
      <Confirm
        open={asked?.to === 'delete'}
        title={`Delete ${asked?.to === 'delete' ? asked.preset.name : ''}?`}
        about="Operators lose it at once. What it has on air stays there and can be hidden."
        label="Delete the preset"
        onClose={() => setAsked(undefined)}
        write={async (key) => {
          if (asked?.to !== 'delete') return
          await remove(`${path}/presets/${asked.preset.id}`, { ifUnchangedSince: asked.preset.updatedAt }, key)
        }}
      />
      <Confirm
        open={asked?.to === 'deleteSection'}
        title={`Delete ${section.name}?`}
        about={presets.length === 0 ? 'It is empty.' : `Its presets go with it: ${presets.length}.`}
        label="Delete the section"
        onClose={() => setAsked(undefined)}
        write={(key) =>
          remove(
            `${path}/sections/${encodeURIComponent(section.id)}`,
            { presets: 'delete', ifUnchangedSince: room.updatedAt },
            key,
          )
        }
      />
    </section>
  )
}

/** `showClock true, title Commentary` */
const valuesOf = ({ variableValues }: Preset): string =>
  Object.entries(variableValues)
    .map(([name, value]) => `${name}: ${value === null ? 'default' : valueWorded(value)}`)
    .join(', ') || '–'
