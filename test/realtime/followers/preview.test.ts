import { describe, expect, test } from 'vitest'
import type { Unnumbered } from '../../../machines/overlay/decide.ts'
import { follow, keyPath, last, payloads } from '../../support/follow.ts'
import { Studio, settle, shown } from '../../support/studio.ts'

const cue = (id: string, values = {}): Unnumbered => ({ type: 'cue', graphic: shown(id, values) })
const schedule = (at: string): Unnumbered => ({
  type: 'schedule',
  scheduled: {
    at,
    action: 'show',
    presetId: 1,
    values: { name: 'Ada' },
    by: { type: 'person', id: 3, name: 'anna.berg@example.com' },
  },
  inMs: 9_000,
})
const cued = (graphicId: string, seq: number) => ({
  ...{ graphicId, graphicName: `Graphic ${graphicId}`, presetId: 1, sectionId: 's', variableValues: {}, seq },
})
const gone = (graphicId: string) => {
  const { variableValues: _, seq: __, ...named } = cued(graphicId, 0)
  return named
}
const planned = (id: number, at: string) => ({
  ...{ id, at, action: 'show', presetId: 1, variableValues: { name: 'Ada' } },
  by: { type: 'person', name: 'anna.berg' },
})
const [SOON, LATER] = ['2027-03-01T18:00:00.000Z', '2027-03-01T19:00:00.000Z']

describe('[show-control: Commands] followers of preview and schedule', () => {
  test('each change is told at once, and the whole to who comes', async () => {
    const studio = new Studio()
    const first = await follow(studio)
    studio.command(1, cue('a'))
    studio.command(1, cue('b'))
    studio.command(1, schedule(LATER))
    studio.command(1, schedule(SOON))
    const changes = payloads(first, 'CHANGE')
    expect(changes).toMatchObject([
      { seq: 1, action: 'cue', by: { name: 'desk' }, shown: [], hidden: [], cued: [cued('a', 1)] },
      { seq: 2, action: 'cue', cued: [cued('b', 2)] },
      { seq: 3, action: 'schedule', scheduled: [planned(3, LATER)] },
      { seq: 4, action: 'schedule', scheduled: [planned(4, SOON)] },
    ])
    for (const member of ['uncued', 'scheduled', 'unscheduled']) expect(changes[0]).not.toHaveProperty(member)
    expect(last(await follow(studio, keyPath), 'SNAPSHOT')).toMatchObject({
      onAir: [],
      preview: [cued('a', 1), cued('b', 2)],
      scheduled: [planned(4, SOON), planned(3, LATER)],
    })
    studio.command(1, { type: 'take', presetId: 1 })
    expect(last(first, 'CHANGE')).toMatchObject({
      seq: 5,
      action: 'take',
      shown: [
        { graphicId: 'a', seq: 5 },
        { graphicId: 'b', seq: 5 },
      ],
      uncued: [gone('a'), gone('b')],
    })
    studio.command(1, { type: 'perform', id: 4, command: { type: 'hide', graphicId: 'a' } })
    expect(last(first, 'CHANGE')).toMatchObject({ unscheduled: [{ id: 4, outcome: 'done', reason: null }] })
    studio.command(1, { type: 'drop', id: 3, outcome: 'missed', reason: '31 s late' })
    expect(last(first, 'CHANGE')).toMatchObject({
      hidden: [],
      unscheduled: [{ id: 3, outcome: 'missed', reason: '31 s late' }],
    })
    expect(last(await follow(studio), 'SNAPSHOT')).toMatchObject({ preview: [], scheduled: [] })
  })

  test('who comes back is told what it missed of them', async () => {
    const studio = new Studio()
    const first = await follow(studio)
    studio.show(1, 'a')
    const { cursor } = last(first, 'CHANGE')
    first.end(1006, '')
    studio.command(1, cue('b'))
    studio.command(1, { type: 'uncue' })
    studio.command(1, schedule(SOON))
    const second = await follow(studio, keyPath, `cursor=${cursor}`)
    await settle()
    expect(payloads(second, 'CHANGE')).toMatchObject([
      { seq: 2, action: 'cue', cued: [cued('b', 2)] },
      { seq: 3, action: 'uncue', uncued: [gone('b')] },
      { seq: 4, action: 'schedule', scheduled: [planned(4, SOON)] },
    ])
  })

  test('renderers hear of a cue when it is taken, and then in one picture', async () => {
    const studio = new Studio()
    const { socket, picture } = await studio.render(1)
    for (const id of ['a', 'b', 'c']) studio.command(1, cue(id))
    studio.command(1, schedule(SOON))
    expect(socket.messages()).toEqual([])
    studio.command(1, { type: 'take' })
    expect([...picture.graphics.keys()]).toEqual(['a', 'b', 'c'])
    expect(socket.messages().map(({ payload }) => [payload.seq, payload.together])).toEqual([
      [5, 3],
      [5, 3],
      [5, 3],
    ])
    studio.show(1, 'a')
    expect(socket.messages().at(-1)?.payload).not.toHaveProperty('together')
    studio.command(1, { type: 'hideAll' })
    expect(
      socket
        .messages()
        .slice(-3)
        .map(({ payload }) => payload.together),
    ).toEqual([undefined, undefined, undefined])
  })
})
