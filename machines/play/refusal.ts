import type { Refusal } from '../match-model.ts'

/** Whether the result is a refusal and not the state that was asked for. */
export const isRefusal = (result: object): result is Refusal => 'message' in result

export const refuse = (path: string, message: string, value?: unknown): Refusal =>
  value === undefined ? { path, message } : { path, message, value }
