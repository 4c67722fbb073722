import './themes.css'
import { useState } from 'react'
import { SPORTS, type SportName } from '../../../../machines/sports.ts'
import { worded } from '../../../schema/worded.ts'
import { Button } from '../../ui/button.tsx'
import { SelectField } from '../../ui/field.tsx'
import { DropBox, DropFailure } from '../drop-box.tsx'
import { faultsOfDrop } from '../drop-faults.ts'
import { navigate } from '../router.tsx'
import type { CompetitionList, Theme } from '../shapes.ts'
import { useResource } from '../use-resource.ts'
import { type Files, filesIn, kindOf } from './drop/files.ts'
import { createTheme } from './drop/push-theme.ts'
import { sportsWithout, starterFiles, starterName } from './starter/starter.ts'

type Stage = { is: 'waiting' } | { is: 'busy'; doing: string } | ({ is: 'failed' } & ReturnType<typeof faultsOfDrop>)

/** Where a theme as files is dropped, and where one that comes with the server is made. show-control: Records */
export function ImportTheme({ themes }: { themes: readonly Theme[] }) {
  const [stage, setStage] = useState<Stage>({ is: 'waiting' })
  const take = async (reading: Promise<Files | undefined>) => {
    setStage({ is: 'busy', doing: 'Reading…' })
    try {
      const files = await reading
      if (!files || kindOf(files) !== 'theme')
        throw new Error('There is no theme.json in it: a theme is a folder with one')
      const { themeId } = await createTheme(files, (doing) => setStage({ is: 'busy', doing }))
      navigate(`/themes/${themeId}?show=graphics`)
    } catch (error) {
      setStage({ is: 'failed', ...faultsOfDrop(error) })
    }
  }
  if (stage.is === 'busy')
    return (
      <p className="waiting" role="status">
        {stage.doing}
      </p>
    )
  return (
    <section className="theme-import" aria-label="New theme">
      <DropBox onTake={(reading) => void take(reading.then(({ zip }) => filesIn(zip)))}>
        <strong>Drop a theme here:</strong> the folder with its <code>theme.json</code>, or a zip of it.
      </DropBox>
      <Starter themes={themes} onTake={(files) => void take(files)} />
      {stage.is === 'failed' && <DropFailure reason={stage.reason} faults={stage.faults} />}
    </section>
  )
}

/** The theme that comes with the server, for a sport that has none: of the competitions, else of any while there is no theme at all. */
function Starter({ themes, onTake }: { themes: readonly Theme[]; onTake: (files: Promise<Files>) => void }) {
  const competitions = useResource<CompetitionList>('/v1/competitions?limit=1000').value?.competitions
  const [chosen, setChosen] = useState<string>()
  if (!competitions) return null
  const played = sportsWithout(themes, competitions)
  const isOpen = themes.length === 0 && played.length === 0
  const offered = isOpen ? Object.keys(SPORTS) : played
  const sport = chosen !== undefined && offered.includes(chosen) ? chosen : offered[0]
  if (sport === undefined) return null
  const called = worded(sport)
  const name = starterName(called.toLowerCase(), themes)
  return (
    <div className="theme-starter">
      {offered.length > 1 && (
        <SelectField label="Sport" value={sport} onChange={({ target }) => setChosen(target.value)}>
          {offered.map((one) => (
            <option key={one} value={one}>
              {worded(one)}
            </option>
          ))}
        </SelectField>
      )}
      <Button look="primary" onClick={() => onTake(starterFiles(sport as SportName, name))}>
        Start with the theme Coastline
      </Button>
      <span className="cell-about">
        It comes with the server: score bug, name card, line-ups, result and sponsor, with a control room for{' '}
        {called.toLowerCase()}.
      </span>
    </div>
  )
}
