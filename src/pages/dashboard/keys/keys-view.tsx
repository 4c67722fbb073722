import { PageHead } from '../parts.tsx'

export const KeysView = () => <PageHead title="API keys" />
