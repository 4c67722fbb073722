import { Button } from '../../ui/button.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Link } from '../router.tsx'
import { ImportRows } from './import-rows.tsx'
import { counted, type Importer } from './importer.ts'
import { countsOf, type Judged } from './judged.ts'
import type { Run } from './use-import.ts'

type Props = {
  importer: Importer
  judged: readonly Judged<object>[]
  run: Run
  /** Where what was written can be seen. */
  done: { to: string; title: string }
  onDone: () => Promise<void>
}

/** The third step: what happens with each line, before and after it is written. */
export function Preview({ importer, judged, run, done, onDone }: Props) {
  const { made, changed, wrong } = countsOf(judged)
  const { state } = run
  const many = (count: number) => counted(importer, count)
  return (
    <Panel title="3. What changes" about={`${judged.length.toLocaleString('en')} lines were read.`}>
      <ImportRows importer={importer} judged={judged} />
      <footer className="import-end">
        {state.is === 'ready' && (
          <>
            <Button look="primary" disabled={made + changed === 0} onClick={() => void run.start(judged).then(onDone)}>
              {made + changed === 0 ? 'Nothing to import' : `Import ${many(made + changed)}`}
            </Button>
            {wrong > 0 && (
              <p>
                {wrong === 1
                  ? 'The wrong line is left out; mend it'
                  : `The ${wrong.toLocaleString('en')} wrong lines are left out; mend them`}{' '}
                and import again, nothing is doubled.
              </p>
            )}
          </>
        )}
        {state.is === 'busy' && (
          <p className="import-progress" role="status">
            <progress max={state.of} value={state.written} aria-label="Written" />
            {state.written.toLocaleString('en')} of {many(state.of)}
            {state.waits && ', waiting for the server: nothing is lost'}
          </p>
        )}
        {state.is === 'stopped' && (
          <div className="notice notice-bad" role="alert">
            <p>
              {many(state.written)} of {state.of.toLocaleString('en')} are written. {state.lines}: refused, nothing of
              it was written. {state.reason}
            </p>
            <ul>
              {state.faults.map((fault) => (
                <li key={fault}>{fault}</li>
              ))}
            </ul>
          </div>
        )}
        {state.is === 'done' && (
          <div className="notice notice-good" role="status">
            <p>
              {state.made > 0 && `${many(state.made)} made. `}
              {state.changed > 0 && `${many(state.changed)} changed. `}
              {state.wrong > 0 && `${state.wrong} wrong ${state.wrong === 1 ? 'line was' : 'lines were'} left out.`}
            </p>
            <Link className="button button-primary" to={done.to}>
              {done.title}
            </Link>
          </div>
        )}
      </footer>
    </Panel>
  )
}
