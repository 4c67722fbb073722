import { budget } from './budget.ts'

const AT_A_TIME = 64

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && (value.constructor === Object || value.constructor === undefined)

/** Charges the cost of comparing the two: both may be the whole data of a match. */
export function chargeEqual(one: unknown, other: unknown): void {
  const pairs: [unknown, unknown][] = [[one, other]]
  let count = 0
  for (let pair = pairs.pop(); pair; pair = pairs.pop()) {
    const [left, right] = pair
    if (++count % AT_A_TIME === 0) budget.spend(AT_A_TIME)
    if (Array.isArray(left) && Array.isArray(right)) {
      if (left.length !== right.length) return
      for (let index = 0; index < left.length; index++) pairs.push([left[index], right[index]])
    } else if (isObject(left) && isObject(right)) {
      for (const name in left) pairs.push([left[name], right[name]])
    } else if (typeof left === typeof right && typeof left !== 'object' && left !== right) return
  }
}

/** Charges the cost of looking for an item in a list; an object knows its members by name. */
export function chargeIn(item: unknown, list: unknown): void {
  if (!Array.isArray(list)) return
  budget.spend(list.length)
  if (typeof item === 'object' && item !== null) for (const one of list) chargeEqual(item, one)
}
