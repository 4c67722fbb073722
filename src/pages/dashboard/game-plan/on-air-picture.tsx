import { useCallback, useEffect, useRef, useState } from 'react'
import { Panel } from '../../ui/panel.tsx'
import { api } from '../api.ts'
import type { Preview, ThemeProfile } from '../shapes.ts'
import type { Draft } from './draft.ts'
import { type Bar, matchTime, valuesAt } from './lanes.ts'
import type { PlanPlace } from './rule-form.tsx'
import type { Stage } from './use-simulation.ts'

type Props = {
  bars: readonly (Bar & { layer: string })[]
  atMs: number
  /** The moment of the match that is played, ISO 8601. */
  moment: string | undefined
  place: PlanPlace
  profile: ThemeProfile
  rules: readonly Draft[]
  stage: Stage | undefined
}

/** The graphics that are on air at a moment, as they look. */
export function OnAirPicture({ bars, atMs, moment, place, profile, rules, stage }: Props) {
  const { addresses, ask } = usePreviews(profile.id)
  const scenarioId = stage?.startsWith('scenario:') ? stage.slice('scenario:'.length) : undefined
  const shown = bars.flatMap((bar) => {
    const picture = pictureOf(bar, { atMs, moment, scenarioId, place, rules })
    return picture ? [{ bar, ...picture }] : []
  })
  const wanted = JSON.stringify(shown.map(({ path, version }) => ({ path, version })))
  useEffect(() => {
    for (const { path, version } of JSON.parse(wanted)) ask(path, version)
  }, [wanted, ask])
  return (
    <Panel
      title={`On air at ${matchTime(atMs)}`}
      about={bars.length === 0 ? 'Nothing' : bars.map(({ name }) => name).join(', ')}
    >
      <div className="try-picture">
        {shown.map(({ bar, path, asked }) => {
          const address = addresses[path]
          return (
            address !== undefined && (
              <iframe
                className="try-graphic"
                key={`${bar.layer} ${path}`}
                title={bar.graphicName ?? bar.name}
                src={`${address}#${encodeURIComponent(JSON.stringify(asked))}`}
                tabIndex={-1}
              />
            )
          )
        })}
        {shown.length === 0 && <p>{bars.length === 0 ? 'Nothing on air' : 'No picture of this'}</p>}
      </div>
      {scenarioId === undefined && shown.length > 0 && (
        <p className="field-hint">Drawn with a made-up match of the sport, not with the score of this one.</p>
      )}
    </Panel>
  )
}

type Around = Pick<Props, 'atMs' | 'moment' | 'place' | 'rules'> & { scenarioId: string | undefined }

/** Where the preview of a graphic is made, and what it is to show; undefined when the graphic is not to be had. */
function pictureOf(bar: Bar, { atMs, moment, scenarioId, place, rules }: Around) {
  const presetId = rules.find(({ id }) => id === bar.ruleId)?.presetId ?? null
  const preset = presetId === null ? undefined : place.presets.find(presetId)
  const graphic = place.graphics?.find(({ graphicId }) => graphicId === preset?.graphicId)
  if (!preset || !graphic) return undefined
  const kind = graphic.type === 'rive' ? 'motion-graphics' : 'code-graphics'
  return {
    path: `/v2/themes/${place.themeId}/${kind}/${graphic.graphicId}/previews`,
    version: graphic.version,
    asked: {
      variableValues: { ...preset.variableValues, ...valuesAt(bar, atMs) },
      ...(scenarioId !== undefined && { scenarioId, at: moment }),
    },
  }
}

/** The address of the preview of each graphic that was asked for; one a graphic, whatever it shows. */
function usePreviews(profileId: number) {
  const asked = useRef(new Set<string>())
  const [addresses, setAddresses] = useState<Readonly<Record<string, string>>>({})
  const ask = useCallback(
    (path: string, version: number) => {
      if (asked.current.has(path)) return
      asked.current.add(path)
      api<Preview>('POST', path, { body: { version, profileId } }).then(
        // by whatever name this page was opened: a frame has to be of the same host
        ({ url }) => setAddresses((last) => ({ ...last, [path]: `${new URL(url).pathname}?clean` })),
        // asked again when it is to be seen again
        () => asked.current.delete(path),
      )
    },
    [profileId],
  )
  return { addresses, ask }
}
