/** The part of live data whose members are named among the schemas themselves: pushed rows, by alias. */
export const PUSHED = 'dataSources'

/** Whether a name means pushed rows of that alias and not the part: `standings` was an alias before it was a part. */
export function meansRows(name: string, data: object): boolean {
  const pushed: unknown = Object.entries(data).find(([part]) => part === PUSHED)?.[1]
  return name !== PUSHED && typeof pushed === 'object' && pushed !== null && Object.hasOwn(pushed, name)
}
