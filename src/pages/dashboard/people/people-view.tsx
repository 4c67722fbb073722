import { PageHead } from '../parts.tsx'

export const PeopleView = () => <PageHead title="People" />
