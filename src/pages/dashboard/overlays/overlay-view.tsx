import { PageHead } from '../parts.tsx'

export const OverlayView = () => <PageHead title="Overlay" />
