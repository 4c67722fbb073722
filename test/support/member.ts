import { pino } from 'pino'
import { onTestFinished } from 'vitest'
import { Member, type MemberOptions } from '../../src/nodes/member.ts'
import { SLOTS } from '../../src/nodes/slots.ts'
import { WORKS_BESIDE } from '../../src/nodes/versions.ts'
import { openListener } from '../../src/store/listen.ts'
import { connectDatabase } from '../../src/store/postgres.ts'

export const allSlots = Array.from({ length: SLOTS }, (_, slot) => slot)
// no two have one address
let port = 1_024
const log = pino({ level: 'silent' })

export type TestMember = {
  readonly member: Member
  /** What it was told, in order: `taken 12`. */
  readonly told: string[]
  /** The slots that it may command now. */
  owned(): number[]
}

/** A node on a database, which leaves when the test finishes. `leadMs` is how far its monotonic clock is ahead, and may be moved. */
export async function startMember(
  url: string,
  options: Partial<MemberOptions> = {},
  clock: { leadMs: number } = { leadMs: 0 },
): Promise<TestMember> {
  const listener = await openListener(url, log)
  onTestFinished(() => listener.close())
  const told: string[] = []
  const member = await Member.join({
    url: `tls://127.0.0.1:${port++}`,
    version: '1.0.0',
    knows: WORKS_BESIDE,
    worksBeside: WORKS_BESIDE,
    connect: () => connectDatabase(url, { connections: 1 }).sql,
    listener,
    log,
    now: () => performance.now() + clock.leadMs,
    onRelease: async (slots) => void told.push(`release ${slots.length}`),
    onLost: (slots) => void told.push(`lost ${slots.length}`),
    onTaken: (slots) => void told.push(`taken ${slots.length}`),
    onMustLeave: (message) => void told.push(message),
    ...options,
  })
  onTestFinished(() => member.close())
  return { member, told, owned: () => allSlots.filter((slot) => member.ownsSlot(slot)) }
}
