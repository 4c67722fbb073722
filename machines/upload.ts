import { assign, emit, setup } from 'xstate'
import { type Decided, decided } from './decided.ts'
import { members, nullable, oneOf, type Shape, text } from './shape.ts'

export type UploadPhase = 'new' | 'opened' | 'received' | 'inspecting' | 'verified' | 'rejected' | 'used' | 'expired'

/** A file on its way in; `error` says why it was rejected. */
export type Upload = { phase: UploadPhase; error: string | null }

export const uploadShape: Shape<Upload> = members({
  phase: oneOf('new', 'opened', 'received', 'inspecting', 'verified', 'rejected', 'used', 'expired'),
  error: nullable(text),
})

/** How long its address takes the bytes, as its sender is told, and how late a clock may be. */
export const OPEN_MS = 900_000
const GRACE_MS = 60_000
/** How long a file waits to be looked at before nobody will. */
const LOOK_MS = 3_600_000
/** How long a verified file waits to be used. */
export const VERIFIED_MS = 86_400_000

export const NEW_UPLOAD: Upload = { phase: 'new', error: null }

/** Commands carry the seq that the host will commit them under. */
export type UploadCommand = { seq: number } & (
  | { type: 'open' }
  | { type: 'receive' }
  | { type: 'inspect' }
  | { type: 'verify' }
  | { type: 'reject'; reason: string }
  | { type: 'use' }
)

/** Facts of an upload, whose fold is its state. */
export type UploadEvent =
  | { type: 'upload.opened' }
  | { type: 'upload.received' }
  | { type: 'upload.inspecting' }
  | { type: 'upload.verified' }
  | { type: 'upload.rejected'; reason: string }
  | { type: 'upload.used' }
  | { type: 'upload.expired' }

const PHASES: Readonly<Record<UploadEvent['type'], UploadPhase>> = {
  'upload.opened': 'opened',
  'upload.received': 'received',
  'upload.inspecting': 'inspecting',
  'upload.verified': 'verified',
  'upload.rejected': 'rejected',
  'upload.used': 'used',
  'upload.expired': 'expired',
}

/** The state after an event. Pure; used by the machine and by replay. */
export const foldUpload = (upload: Upload, event: UploadEvent): Upload => ({
  phase: PHASES[event.type],
  error: event.type === 'upload.rejected' ? event.reason : upload.error,
})

const factOf = (command: UploadCommand): UploadEvent => {
  switch (command.type) {
    case 'open':
      return { type: 'upload.opened' }
    case 'receive':
      return { type: 'upload.received' }
    case 'inspect':
      return { type: 'upload.inspecting' }
    case 'verify':
      return { type: 'upload.verified' }
    case 'reject':
      return { type: 'upload.rejected', reason: command.reason }
    case 'use':
      return { type: 'upload.used' }
  }
}

const step = decided((_upload: Upload, command: UploadCommand) => [factOf(command)], foldUpload)
const stepTo = (target: UploadPhase) => ({ target, actions: ['tell', 'fold'] as const })
const EXPIRED: UploadEvent = { type: 'upload.expired' }
const expiry = { target: 'expired', actions: ['tellExpiry', 'expire'] } as const

/**
 * One uploaded file from its signed address to its use. The bytes may be there before it was told to open; a look at them
 * that a crash cut short is taken again; a file that is not sent, looked at or used in time expires.
 */
export const uploadMachine = setup({
  types: { context: {} as Upload, events: {} as UploadCommand, emitted: {} as Decided<UploadEvent> },
  delays: { unsent: OPEN_MS + GRACE_MS, unseen: LOOK_MS, unused: VERIFIED_MS },
  actions: {
    tell: emit(step.facts),
    fold: assign(step.folded),
    tellExpiry: emit((): Decided<UploadEvent> => ({ type: 'decided', facts: [EXPIRED] })),
    expire: assign(({ context }) => foldUpload(context, EXPIRED)),
  },
}).createMachine({
  id: 'upload',
  context: NEW_UPLOAD,
  initial: 'new',
  states: {
    new: { on: { open: stepTo('opened'), receive: stepTo('received') } },
    opened: { after: { unsent: expiry }, on: { open: 'opened', receive: stepTo('received') } },
    received: {
      after: { unseen: expiry },
      on: { open: 'received', receive: 'received', inspect: stepTo('inspecting') },
    },
    inspecting: {
      after: { unseen: expiry },
      on: { inspect: 'inspecting', verify: stepTo('verified'), reject: stepTo('rejected') },
    },
    verified: { after: { unused: expiry }, on: { verify: 'verified', use: stepTo('used') } },
    rejected: { on: { reject: 'rejected' } },
    used: { on: { use: 'used' } },
    expired: {},
  },
})
