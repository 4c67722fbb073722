import { type Asked, type Info, readFrame } from './api.ts'
import { Program } from './program.ts'
import { withoutNulls } from './values.ts'

/** Nothing but the graphic, settled, on transparency: for screenshots. `data-painted` of the body says when it is there. */
export async function showClean({ settings }: Info) {
  document.documentElement.className = 'clean'
  document.body.replaceChildren()
  const asked: Asked = { ...settings, variableValues: withoutNulls(settings.variableValues) }
  const program = new Program(document.body, {
    painted: () => {
      document.body.dataset.painted = settings.scenarioId
    },
    problem: (reason) => {
      document.body.dataset.problem = reason
    },
  })
  program.fill()
  try {
    program.load((await readFrame(asked)).frame.payload, true)
  } catch (error) {
    document.body.dataset.problem = error instanceof Error ? error.message : String(error)
  }
}
