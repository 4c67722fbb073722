import { PageHead } from '../parts.tsx'

export const AuditView = () => <PageHead title="Audit" />
