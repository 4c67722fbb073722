import './themes.css'
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { DropBox, DropFailure } from '../drop-box.tsx'
import { faultsOfDrop } from '../drop-faults.ts'
import type { Dropped } from '../ograf/read-drop.ts'
import { navigate } from '../router.tsx'
import { filesIn, kindOf } from './drop/files.ts'
import { createTheme } from './drop/push-theme.ts'

type Stage = { is: 'waiting' } | { is: 'busy'; doing: string } | ({ is: 'failed' } & ReturnType<typeof faultsOfDrop>)

/** Where a theme as files is dropped, and where one that comes with the server is made. show-control: Records */
export function ImportTheme({ hasThemes }: { hasThemes: boolean }) {
  const [stage, setStage] = useState<Stage>({ is: 'waiting' })
  const take = async (reading: Promise<Dropped>) => {
    setStage({ is: 'busy', doing: 'Reading…' })
    try {
      const files = filesIn((await reading).zip)
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
      <DropBox onTake={(reading) => void take(reading)}>
        <strong>Drop a theme here:</strong> the folder with its <code>theme.json</code>, or a zip of it.
      </DropBox>
      {!hasThemes && (
        <p className="theme-starter">
          <Button look="primary" onClick={() => void take(starter())}>
            Start with the theme Coastline
          </Button>
          <span className="cell-about">
            It comes with the server: score bug, name card, line-ups, result and sponsor, with a control room.
          </span>
        </p>
      )}
      {stage.is === 'failed' && <DropFailure reason={stage.reason} faults={stage.faults} />}
    </section>
  )
}

/** The theme that comes with the server, as a zip. */
async function starter(): Promise<Dropped> {
  const answer = await fetch('/docs/starter-theme.zip').catch(() => undefined)
  if (!answer?.ok) throw new Error('The theme could not be read from the server')
  return { name: 'Coastline', zip: new Uint8Array(await answer.arrayBuffer()) }
}
