import { isKind, type Kind, kinds, recorded, type StoredSnapshot } from '../../machines/kinds.ts'
import type { Journal, Ref } from './journal.ts'
import { decodeSnapshot } from './rows.ts'

export type Repair = { checked: number; repaired: Ref[]; failed: { ref: Ref; reason: string }[] }

/**
 * Makes the snapshot of every actor that cannot be loaded anew from its journal; with `ref`, of that one even when it loads.
 * Claims each actor that it repairs, so a running owner reloads it at its next command.
 */
export async function repairActors(journal: Journal, ref?: Ref): Promise<Repair> {
  const repair: Repair = { checked: 0, repaired: [], failed: [] }
  for await (const actor of journal.all(ref)) {
    repair.checked += 1
    const kind = actor.ref.slice(0, actor.ref.indexOf('/'))
    if (!isKind(kind)) {
      repair.failed.push({ ref: actor.ref, reason: `unknown kind ${kind}` })
      continue
    }
    if (ref === undefined && loads(kind, actor.machineVersion, actor.snapshot)) continue
    try {
      const { version, replay } = kinds[kind]
      const claimed = await journal.claim(actor.ref)
      const facts = await journal.facts(actor.ref)
      // the journal of a kind holds the events of that kind only
      const snapshot = (replay as (events: readonly unknown[]) => StoredSnapshot)(facts)
      const projection = recorded(kind).project?.(snapshot.context, {})
      const row = [JSON.stringify(snapshot), ...(projection ? [JSON.stringify(projection)] : [])] as const
      if (!claimed || !(await journal.replace(actor.ref, claimed.epoch, version, ...row)))
        throw new Error('claimed by somebody else meanwhile')
      repair.repaired.push(actor.ref)
    } catch (error) {
      repair.failed.push({ ref: actor.ref, reason: String(error) })
    }
  }
  return repair
}

function loads(kind: Kind, machineVersion: number, snapshot: unknown): boolean {
  try {
    decodeSnapshot(kind, machineVersion, snapshot)
    return true
  } catch {
    return false
  }
}
