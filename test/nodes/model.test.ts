import { describe, expect, test } from 'vitest'
import { full } from '../chaos/full.ts'
import { allGuards, type Bounds, explore, type Guards } from './lease-model.ts'

const leases: Bounds = {
  nodes: 2,
  actor: false,
  beats: true,
  lease: 2,
  maxTerm: 3,
  maxEpoch: 0,
  maxSeq: 0,
  crashes: 0,
  late: 1,
}
const actor: Bounds = { ...leases, actor: true, lease: 1, maxEpoch: 3, maxSeq: 2, late: 0 }
const withoutBeats: Bounds = { ...actor, beats: false }
const withLate: Bounds = { ...withoutBeats, maxTerm: 2, maxEpoch: 2, maxSeq: 1, late: 1 }

describe('[issue 17.8] in every state that can be reached no two nodes own the slot, no two writes land on one seq, and a free slot is taken', () => {
  const small: Record<string, Bounds> = {
    'two nodes with statements that are carried out late': leases,
    'two nodes, one of which crashes': { ...leases, lease: 1, maxTerm: 2, crashes: 1, late: 0 },
    'three nodes': { ...leases, nodes: 3, maxTerm: 2, late: 0 },
    'an actor that is claimed and written': { ...actor, maxEpoch: 2 },
    'an actor that is written in three terms': withoutBeats,
    // a quarter of a minute of states
    ...(full && { 'an actor whose writes are carried out late': withLate }),
  }
  for (const [name, bounds] of Object.entries(small))
    test(name, () => {
      const { states, ...found } = explore(bounds)
      expect(found).toEqual({})
      // a model that has got stuck would find nothing
      expect(states).toBeGreaterThan(1_000)
    })
})

describe('[issue 17.8] each guard is needed: without it the same search finds what goes wrong', () => {
  const violations: Record<keyof Guards, [Bounds, RegExp]> = {
    fence: [withLate, /^a commit landed from an older epoch$|^two commits landed on the same seq$/],
    countsFromBeforeSending: [leases, /^a node believes in a lease that it does not have$/],
    takesOnlyExpired: [leases, /^a node believes in a lease that it does not have$/],
    releasesByTerm: [leases, /^a node believes in a lease that it does not have$/],
    believesOnlyWhatItTook: [leases, /^a node believes in a lease that it does not have$/],
    dropsStateWithLease: [withoutBeats, /^an owner reads what is not so any more$/],
    readsWithinTerm: [withoutBeats, /^an owner reads what is not so any more$/],
  }
  for (const [guard, [bounds, violation]] of Object.entries(violations))
    test(guard, () => {
      const found = explore(bounds, { ...allGuards, [guard]: false })
      expect(found.violation, JSON.stringify(found)).toMatch(violation)
    })
})
