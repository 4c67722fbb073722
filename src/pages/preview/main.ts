import './preview.css'
import { Gone, type Info, readInfo } from './api.ts'
import { showClean } from './clean.ts'
import { openDesk } from './desk.ts'

const query = new URLSearchParams(location.search)

/** The address may name the picture that is shown first: `?version=3&scenario=tennis-tie-break`. */
function begun(info: Info): Info {
  const version = query.get('version')
  const scenario = query.get('scenario')
  const named = info.versions.find((one) => String(one.version) === version)
  return {
    ...info,
    settings: {
      ...info.settings,
      ...(named && { version: named.version }),
      ...(info.scenarios.some(({ id }) => id === scenario) && { scenarioId: scenario ?? '' }),
    },
  }
}

try {
  const info = begun(await readInfo())
  document.title = `${info.graphic.name}, preview`
  if (query.has('clean')) showClean(info)
  else openDesk(info)
} catch (error) {
  const text =
    error instanceof Gone
      ? 'This preview is over. Ask for another address.'
      : 'The server cannot be reached. Load the page again.'
  const note = document.createElement('p')
  note.className = 'over'
  note.setAttribute('role', 'alert')
  note.textContent = text
  document.body.replaceChildren(note)
}
