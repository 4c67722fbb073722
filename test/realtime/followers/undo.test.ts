import { describe, expect, test } from 'vitest'
import type { Unnumbered } from '../../../machines/overlay/decide.ts'
import { follow, keyPath, last, payloads } from '../../support/follow.ts'
import { Studio, settle, shown } from '../../support/studio.ts'

const named = (graphicId: string) => ({ graphicId, graphicName: `Graphic ${graphicId}`, presetId: 1, sectionId: 's' })
const stays = (graphicId: string) => ({ ...named(graphicId), until: null })
const timed: Unnumbered = { type: 'show', graphic: { ...shown('b'), durationSeconds: 20 } }

const pass = async (studio: Studio, ms: number) => {
  for (let passed = 0; passed < ms; passed += 100) {
    studio.clock.advance(100)
    await settle()
  }
}
/** What the follower is told within a tenth of a second, and what somebody who comes then is told. */
async function told(studio: Studio, socket: Awaited<ReturnType<typeof follow>>) {
  await pass(studio, 100)
  const { undo } = last(socket, 'UNDO')
  const fresh = await follow(studio, keyPath)
  const [first = { undo: null }] = payloads(fresh, 'UNDO')
  fresh.end(1000, '')
  expect(first.undo).toEqual(undo)
  return undo
}

describe('[show-control: Pictures] UNDO, what an undo would do', () => {
  test('what was shown goes, what was replaced or hidden comes back', async () => {
    const studio = new Studio()
    const socket = await follow(studio)
    studio.show(1, 'a')
    expect(await told(studio, socket)).toMatchObject({
      ...{ seq: 1, action: 'show', by: { type: 'key', name: 'desk' } },
      ...{ hides: [named('a')], restores: [] },
    })
    studio.show(1, 'a', { n: 1 })
    expect(await told(studio, socket)).toMatchObject({ seq: 2, hides: [], restores: [stays('a')] })
    studio.command(1, { type: 'cue', graphic: shown('c') })
    expect(await told(studio, socket)).toMatchObject({ seq: 2 })
    studio.command(1, { type: 'take' })
    expect(await told(studio, socket)).toMatchObject({ seq: 4, action: 'take', hides: [named('c')] })
    studio.command(1, { type: 'hideAll' })
    expect(await told(studio, socket)).toMatchObject({ seq: 5, restores: [stays('a'), stays('c')] })
    studio.command(1, { type: 'undo', off: [], back: [{ graphic: shown('a'), loadSeq: 2 }] })
    expect(await told(studio, socket)).toBeNull()
  })

  test('it ends with its time, and with whatever touches the same graphic', async () => {
    const studio = new Studio()
    const socket = await follow(studio)
    studio.show(1, 'a')
    const undo = await told(studio, socket)
    expect(Date.parse(undo?.until ?? '')).toBe(studio.clock.wall() - 100 + 30_000)
    studio.principal = { type: 'gamePlan', name: 'Goal' }
    studio.show(1, 'other')
    expect(await told(studio, socket)).toMatchObject({ seq: 1 })
    studio.update(1, 'a', { n: 2 })
    expect(await told(studio, socket)).toBeNull()
    studio.principal = { type: 'link' }
    studio.show(1, 'a', { n: 3 })
    await pass(studio, 30_000)
    expect(payloads(await follow(studio), 'UNDO')).toEqual([])
  })

  test('a graphic whose time is up by then is not brought back', async () => {
    const studio = new Studio()
    studio.command(1, timed)
    await pass(studio, 15_000)
    const socket = await follow(studio)
    studio.command(1, { type: 'hide', graphicId: 'b' })
    const undo = await told(studio, socket)
    expect(undo?.restores).toEqual([{ ...named('b'), until: expect.any(String) }])
    await pass(studio, 6_000)
    expect(payloads(await follow(studio), 'UNDO')).toEqual([])
  })

  test('who comes back is told it as it is', async () => {
    const studio = new Studio()
    const first = await follow(studio)
    studio.show(1, 'a')
    const { cursor } = last(first, 'CHANGE')
    first.end(1006, '')
    studio.show(1, 'b')
    const second = await follow(studio, keyPath, `cursor=${cursor}`)
    await settle()
    expect(last(second, 'UNDO')).toMatchObject({ undo: { seq: 2, hides: [named('b')] } })
  })
})
