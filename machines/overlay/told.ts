import type { By, Overlay, RundownPosition, Scheduled } from './model.ts'

/** Of a person's address the part before the @: people who look at pages need not know addresses. */
export const toldBy = <Type extends string>({ type, name }: { type: Type; name?: string }) => ({
  type,
  name: type === 'link' || name === undefined ? null : type === 'person' ? (name.split('@')[0] ?? name) : name,
})

/** A scheduled command as the API and followers are told of it. */
export const toldScheduled = ({ id, at, action, presetId, values, by, durationSeconds }: Scheduled) => ({
  id,
  at,
  action,
  presetId,
  variableValues: { ...values },
  by: toldBy<By['type']>(by),
  ...(durationSeconds !== undefined && { durationSeconds }),
})

/** Those that are scheduled, the next first. */
export const toldSchedule = (schedule: Overlay['schedule']) =>
  schedule === undefined
    ? []
    : Object.values(schedule)
        .sort((one, other) => Date.parse(one.at) - Date.parse(other.at) || one.id - other.id)
        .map(toldScheduled)

/** How far the rundown has come, as the API and followers are told of it. */
export const toldRundown = (
  { cued, taken }: Pick<RundownPosition, 'cued' | 'taken'> = { cued: null, taken: null },
) => ({
  cuedId: cued?.id ?? null,
  takenId: taken?.id ?? null,
})
