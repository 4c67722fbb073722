import { PageHead } from '../parts.tsx'

export const StreamsView = () => <PageHead title="Streams" />
