const day: Intl.DateTimeFormatOptions = { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' }
const minute: Intl.DateTimeFormatOptions = { hour: '2-digit', minute: '2-digit' }

const format = (options: Intl.DateTimeFormatOptions) => {
  const formatter = new Intl.DateTimeFormat('en-GB', options)
  return (iso: string): string => formatter.format(new Date(iso))
}

/** `Fri, 20 Nov 2026`, in the time zone of the reader. */
export const dayOf = format(day)
/** `19:30` */
export const timeOf = format(minute)
/** `Fri, 20 Nov 2026, 19:30` */
export const momentOf = format({ ...day, ...minute })
/** `Fri, 20 Nov 2026, 19:30:07` */
export const secondOf = format({ ...day, ...minute, second: '2-digit' })
