import { PageHead } from '../parts.tsx'

export const AccountView = () => <PageHead title="Account" />
