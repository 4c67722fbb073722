export { createTally, type Tally } from './client.ts'
export { type Details, TallyError } from './error.ts'
export type { Following, SocketClass, SocketLike } from './follow.ts'
export type { Connection } from './request.ts'
export type {
  Answer,
  Arguments,
  Asked,
  Bytes,
  FollowedType,
  LiveMessage,
  Method,
  PathsWith,
  Schema,
  Sending,
} from './types.ts'
