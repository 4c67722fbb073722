import { Panel } from '../../ui/panel.tsx'
import { restUrl } from '../api.ts'
import { ReplayButton } from '../as-run/replay-button.tsx'
import { Link } from '../router.tsx'

/** The log of an overlay: as a list, as a file, and played again. */
export const Log = ({ overlayId }: { overlayId: number }) => (
  <Panel title="As-run log" about="What was on air, when, and when renderers painted it">
    <div className="form-actions">
      <Link className="button" to={`/as-run?overlay=${overlayId}`}>
        Look through
      </Link>
      <a className="button" href={restUrl(`/v2/overlays/${overlayId}/as-run?format=csv`)} download>
        Export CSV
      </a>
      <ReplayButton overlayId={String(overlayId)} from="" to="" />
    </div>
  </Panel>
)
