import { PageHead } from '../parts.tsx'

export const AsRunView = () => <PageHead title="As-run" />
