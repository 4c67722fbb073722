import { type Cell, csv } from '../../schema/csv.ts'
import type { ProofOfPlay, ProofQuery } from './schema.ts'

type Times = Pick<ProofOfPlay['plays'][number], 'committedSeconds' | 'paintedSeconds' | 'gaps' | 'overrunSeconds'>

const timesHeader =
  'committedSeconds paintedSeconds delaySeconds noRendererSeconds lateSeconds unreportedSeconds outOfViewSeconds forgottenSeconds overrunSeconds'.split(
    ' ',
  )
const times = ({ committedSeconds, paintedSeconds, gaps, overrunSeconds }: Times): Cell[] => [
  committedSeconds,
  paintedSeconds,
  gaps.delaySeconds,
  gaps.noRendererSeconds,
  gaps.lateSeconds,
  gaps.unreportedSeconds,
  gaps.outOfViewSeconds,
  gaps.forgottenSeconds,
  overrunSeconds,
]

const playsHeader = [
  ...'overlayId seq at until graphicId graphicName presetId brand adType byType byId byName'.split(' '),
  ...timesHeader,
  'renderers',
  // after what was there before it: who reads columns by their place goes on to
  'brandId',
]
const playRow = (play: ProofOfPlay['plays'][number]): Cell[] => [
  play.overlayId,
  play.seq,
  play.at,
  play.until,
  play.graphicId,
  play.graphicName,
  play.presetId,
  play.brand,
  play.adType,
  play.by?.type ?? null,
  play.by?.id ?? null,
  play.by?.name ?? null,
  ...times(play),
  play.renderers
    .map(({ renderer, paintedFrom, paintedSeconds }) => `${renderer} ${paintedFrom} (${paintedSeconds} s)`)
    .join('; '),
  play.brandId,
]

const tables: Readonly<Record<ProofQuery['rows'], (proof: ProofOfPlay) => Cell[][]>> = {
  plays: ({ plays }) => [playsHeader, ...plays.map(playRow)],
  graphics: ({ graphics }) => [
    ['graphicId', 'graphicName', 'plays', 'firstAt', 'lastAt', ...timesHeader],
    ...graphics.map((one) => [one.graphicId, one.graphicName, one.plays, one.firstAt, one.lastAt, ...times(one)]),
  ],
  brands: ({ brands }) => [
    ['brand', 'adType', 'plays', 'firstAt', 'lastAt', ...timesHeader, 'brandId'],
    ...brands.map((one) => [one.brand, one.adType, one.plays, one.firstAt, one.lastAt, ...times(one), one.brandId]),
  ],
  slots: ({ slots }) => [
    ['slotId', 'slot', 'brandId', 'brand', 'promisedShare', 'paintedShare', 'paintedSeconds'],
    ...slots.flatMap(({ slotId, name, brands }) =>
      brands.map((one) => [
        slotId,
        name,
        one.brandId,
        one.name,
        one.promisedShare,
        one.paintedShare,
        one.paintedSeconds,
      ]),
    ),
  ],
}

/** A proof as CSV with a header row. */
export const proofCsv = (proof: ProofOfPlay, rows: ProofQuery['rows']): string => csv(tables[rows](proof))

/** Plays as CSV with a header row, as they come. */
export async function* playsCsv(plays: AsyncIterable<ProofOfPlay['plays']>): AsyncGenerator<string> {
  let lines = csv([playsHeader])
  // the header goes out with the first plays, so that a fault of the database is answered with its status
  for await (const some of plays) {
    yield lines + csv(some.map(playRow))
    lines = ''
  }
  if (lines !== '') yield lines
}
