/** Milliseconds of a clock that nobody sets, and that all processes of one machine share. */
export const sharedNow = (): number => Number(process.hrtime.bigint()) / 1e6

const ahead = sharedNow() - performance.now()

/** The same moment by that clock. */
export const shared = (performanceNow: number): number => performanceNow + ahead
