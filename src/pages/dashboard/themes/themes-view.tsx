import { PageHead } from '../parts.tsx'

export const ThemesView = () => <PageHead title="Themes" />
