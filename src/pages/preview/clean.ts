import { type Asked, type Info, readFrame } from './api.ts'
import { Program } from './program.ts'
import { withoutNulls } from './values.ts'

/**
 * Nothing but the graphic, settled, on transparency: for screenshots. `data-painted` of the body says when it is there. What stands behind
 * `#` of the address as JSON (`scenarioId`, `at`, `variableValues`, `themeVariableValues`) is shown in place of what the preview was made with, also when it changes.
 */
export async function showClean({ settings }: Info) {
  document.documentElement.className = 'clean'
  document.body.replaceChildren()
  let asked: Asked = { ...settings, variableValues: withoutNulls(settings.variableValues) }
  let latest = 0
  const program = new Program(document.body, {
    painted: () => {
      document.body.dataset.painted = asked.scenarioId ?? 'match'
    },
    problem: (reason) => {
      document.body.dataset.problem = reason
    },
  })
  program.fill()
  const show = async () => {
    const mine = ++latest
    asked = { ...asked, ...askedBehind(location.hash) }
    try {
      const { frame } = await readFrame(asked)
      if (mine !== latest) return
      delete document.body.dataset.problem
      if (program.onAir) program.change(frame.payload)
      else program.load(frame.payload, true)
    } catch (error) {
      if (mine === latest) document.body.dataset.problem = error instanceof Error ? error.message : String(error)
    }
  }
  window.addEventListener('hashchange', show)
  await show()
}

/** Nothing where it is none of ours; the server judges what is in it. */
function askedBehind(hash: string): Partial<Asked> {
  try {
    const { scenarioId, at, variableValues, themeVariableValues } = JSON.parse(decodeURIComponent(hash.slice(1)))
    return {
      ...(scenarioId !== undefined && { scenarioId }),
      ...(at !== undefined && { at }),
      ...(variableValues !== undefined && { variableValues: withoutNulls(variableValues) }),
      ...(themeVariableValues !== undefined && { themeVariableValues }),
    }
  } catch {
    return {}
  }
}
