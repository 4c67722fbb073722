import { BitrateChart, bitrateText } from '../../ui/bitrate-chart.tsx'

export const bitrateOf = (kilobits: number | null): string =>
  kilobits === null ? 'nothing flows' : bitrateText(kilobits)

/** The last ten minutes up to the last measurement. */
export function BitrateHistory({
  name,
  history,
}: {
  name: string
  history: readonly { at: string; bitrateKb: number }[]
}) {
  const last = history.at(-1)
  return last ? <BitrateChart name={name} history={history} now={Date.parse(last.at)} /> : null
}
