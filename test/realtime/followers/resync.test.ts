import { describe, expect, test } from 'vitest'
import { follow, keyPath, last, payloads, told } from '../../support/follow.ts'
import { Studio, settle } from '../../support/studio.ts'

describe('resuming', () => {
  test('[issue 6.2] a follower that comes back is told every change that it missed, in order, none twice', async () => {
    const studio = new Studio()
    const first = await follow(studio)
    studio.show(1, 'a', { name: 'Ada' })
    const { cursor } = last(first, 'CHANGE')
    first.end(1006, '')
    const shownAt = new Date(studio.clock.wall()).toISOString()
    studio.clock.advance(3_000)
    studio.update(1, 'a', { name: 'Grace' })
    studio.show(1, 'b')
    studio.command(1, { type: 'hide', graphicId: 'a' })
    const second = await follow(studio, keyPath, `cursor=${cursor}`)
    await settle()
    expect(payloads(second, 'SNAPSHOT')).toEqual([])
    expect(payloads(second, 'CHANGE').map(({ seq }) => seq)).toEqual([2, 3, 4])
    expect(payloads(second, 'CHANGE')[0]).toMatchObject({
      action: 'update',
      by: { type: 'key', name: 'desk' },
      shown: [{ since: shownAt, variableValues: { name: 'Grace' } }],
    })
    expect(told(second).map(({ type }) => type)).toEqual([
      'CHANGE',
      'CHANGE',
      'CHANGE',
      'OVERLAY',
      'MATCH',
      'RENDERERS',
      'PICTURES',
      'PAINTED',
      'NAMES',
      'UNDO',
      'ROOM',
    ])
    studio.update(1, 'b', { name: 'Joan' })
    expect(payloads(second, 'CHANGE').map(({ seq }) => seq)).toEqual([2, 3, 4, 5])
  })

  test('[issue 6.2] what is committed while the journal is read comes after it', async () => {
    const studio = new Studio()
    const first = await follow(studio)
    studio.show(1, 'a')
    const { cursor } = last(first, 'CHANGE')
    studio.show(1, 'b')
    studio.beforeJournal = async () => {
      studio.beforeJournal = async () => {}
      studio.show(1, 'c')
      await settle()
    }
    const second = await follow(studio, keyPath, `cursor=${cursor}`)
    await settle()
    studio.show(1, 'd')
    expect(payloads(second, 'CHANGE').map(({ seq }) => seq)).toEqual([2, 3, 4])
    expect(payloads(first, 'CHANGE').map(({ seq }) => seq)).toEqual([1, 2, 3, 4])
  })

  test('[issue 6.2] a commit that the journal holds before it is told is told once to who comes back meanwhile', async () => {
    const studio = new Studio()
    const first = await follow(studio)
    studio.show(1, 'a')
    const { cursor } = last(first, 'CHANGE')
    studio.show(1, 'b')
    const durable = studio.commitSilently(1, { type: 'hide', graphicId: 'a' })
    if (!durable) throw new Error('nothing was committed')
    const second = await follow(studio, keyPath, `cursor=${cursor}`)
    await settle()
    studio.publish(1, durable)
    expect(payloads(second, 'CHANGE').map(({ seq }) => seq)).toEqual([2, 3])
    expect(payloads(first, 'CHANGE').map(({ seq }) => seq)).toEqual([1, 2, 3])
  })

  test('[issue 6.2] a cursor of where everything still is gets no change and no snapshot', async () => {
    const studio = new Studio()
    studio.show(1, 'a')
    const first = await follow(studio)
    const { cursor } = last(first, 'SNAPSHOT')
    const second = await follow(studio, keyPath, `cursor=${cursor}`)
    await settle()
    expect(told(second).map(({ type }) => type)).toEqual([
      'OVERLAY',
      'MATCH',
      'RENDERERS',
      'PICTURES',
      'PAINTED',
      'NAMES',
      'UNDO',
      'ROOM',
    ])
  })

  test.each([
    ['of another overlay', '2-1-loyw3v28'],
    ['of another history', '1-1-1'],
    ['from the future', '1-9-loyw3v28'],
    ['made up', 'x'.repeat(2000)],
  ])('[issue 6.2] a cursor %s gets the state instead', async (_, cursor) => {
    const studio = new Studio()
    studio.show(1, 'a')
    studio.show(1, 'b')
    const socket = await follow(studio, keyPath, `cursor=${cursor}`)
    await settle()
    expect(told(socket).map(({ type }) => type)).toEqual(['SNAPSHOT', 'UNDO'])
  })

  test('[issue 6.2] so does whoever missed too much, or what retention took', async () => {
    const studio = new Studio()
    const first = await follow(studio)
    studio.show(1, 'a')
    const { cursor } = last(first, 'CHANGE')
    studio.show(1, 'b')
    studio.show(1, 'c')
    const whole = studio.journal.get(1) ?? []
    studio.journal.set(1, whole.slice(2))
    const second = await follow(studio, keyPath, `cursor=${cursor}`)
    await settle()
    expect(told(second).map(({ type }) => type)).toEqual(['SNAPSHOT', 'UNDO'])
    studio.journal.set(1, whole)
    for (let i = 0; i < 600; i++) studio.update(1, 'a', { i })
    const third = await follow(studio, keyPath, `cursor=${cursor}`)
    await settle()
    expect(told(third).map(({ type }) => type)).toEqual(['SNAPSHOT', 'UNDO'])
    expect(last(third, 'SNAPSHOT').seq).toBe(603)
  })

  test('[issue 6.2] commits that a node never heard of are made good by a new snapshot', async () => {
    const studio = new Studio()
    const socket = await follow(studio)
    studio.show(1, 'a')
    studio.commitSilently(1, { type: 'hideAll' })
    studio.show(1, 'b')
    await settle()
    await settle()
    expect(last(socket, 'SNAPSHOT')).toMatchObject({ seq: 3, onAir: [{ graphicId: 'b' }] })
  })
})
