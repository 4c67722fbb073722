import { PageHead } from '../parts.tsx'

export const MatchesView = () => <PageHead title="Matches" />
