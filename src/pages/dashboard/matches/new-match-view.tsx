import { PageHead } from '../parts.tsx'

export const NewMatchView = () => <PageHead title="New match" />
