import { SelectField, TextField } from '../../ui/field.tsx'
import { Switch } from '../../ui/switch.tsx'
import type { OverlayList } from '../shapes.ts'
import type { GraphicsDraft, Problems } from './stream-draft.ts'

type Props = {
  draft: GraphicsDraft
  overlays: OverlayList['overlays']
  problems: Problems
  onChange: (change: Partial<GraphicsDraft>) => void
}

/** Which graphics are burned in, and the picture that is then made. */
export function GraphicsFields({ draft, overlays, problems, onChange }: Props) {
  const { overlay, startHidden, resolution, fps, bitrate, volume } = draft
  return (
    <>
      <SelectField
        label="Graphics burned in"
        name="stream.overlayId"
        value={overlay}
        disabled={draft.match === ''}
        hint={overlay === '' ? 'Picture and sound are passed on as they come, at next to no cost' : undefined}
        error={problems['stream.overlayId']}
        onChange={(event) => onChange({ overlay: event.target.value })}
      >
        <option value="">None</option>
        {overlays.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
      {overlay !== '' && (
        <>
          <Switch
            label="Start with the graphics hidden"
            hint="Each start hides them in this stream until they are shown"
            checked={startHidden}
            onChange={(checked) => onChange({ startHidden: checked })}
          />
          <div className="pair">
            <SelectField
              label="Picture"
              name="stream.resolution"
              error={problems['stream.resolution']}
              value={resolution}
              onChange={(event) => onChange({ resolution: event.target.value === '720p' ? '720p' : '1080p' })}
            >
              <option>1080p</option>
              <option>720p</option>
            </SelectField>
            <SelectField
              label="Frames a second"
              name="stream.fps"
              error={problems['stream.fps']}
              value={fps}
              onChange={(event) => onChange({ fps: event.target.value })}
            >
              {['25', '30', '50', '60'].map((rate) => (
                <option key={rate}>{rate}</option>
              ))}
            </SelectField>
          </div>
          <div className="pair">
            <TextField
              label="Video bitrate in kb/s"
              name="stream.videoBitrateKb"
              inputMode="numeric"
              error={problems['stream.videoBitrateKb']}
              value={bitrate}
              onChange={(event) => onChange({ bitrate: event.target.value })}
            />
            <TextField
              label="Volume in %"
              name="stream.inputVolume"
              inputMode="numeric"
              error={problems['stream.inputVolume']}
              value={volume}
              onChange={(event) => onChange({ volume: event.target.value })}
            />
          </div>
        </>
      )}
    </>
  )
}
