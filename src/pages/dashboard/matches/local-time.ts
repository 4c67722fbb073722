const two = (number: number) => String(number).padStart(2, '0')

/** A moment as inputs for date and time want it, in the time of the browser. */
export const inputsOf = (at: Date): { date: string; time: string } => ({
  // the year is four digits while it is typed, too
  date: `${String(at.getFullYear()).padStart(4, '0')}-${two(at.getMonth() + 1)}-${two(at.getDate())}`,
  time: `${two(at.getHours())}:${two(at.getMinutes())}`,
})

/** The moment that two inputs say; an invalid one when they say none. */
export const momentOfInputs = ({ date, time }: { date: string; time: string }): Date => new Date(`${date}T${time}`)

/** The name of the browser's time zone: `Europe/Oslo`. */
export const zoneHere = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone
