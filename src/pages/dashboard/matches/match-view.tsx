import { PageHead } from '../parts.tsx'

export const MatchView = () => <PageHead title="Match" />
