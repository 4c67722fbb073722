import { PageHead } from '../parts.tsx'

export const RoomsView = () => <PageHead title="Control rooms" />
