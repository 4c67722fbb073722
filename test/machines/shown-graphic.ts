import type { Shown } from '../../machines/overlay/model.ts'

/** A graphic as a command shows it. */
export const graphic = (id: string, more: Partial<Shown> = {}): Shown => ({
  graphicId: id,
  graphicName: `Graphic ${id}`,
  kind: 'code',
  version: 3,
  url: '/bundles/x/index.html',
  themeId: 1,
  themeVersion: 2,
  roomId: 4,
  sectionId: 'left',
  presetId: 5,
  values: {},
  ...more,
})
