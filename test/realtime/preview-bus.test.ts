import { describe, expect, test } from 'vitest'
import type { Unnumbered } from '../../machines/overlay/decide.ts'
import { Picture } from '../support/picture.ts'
import { held, Studio, settle, shown } from '../support/studio.ts'

const cue = (id: string, values = {}, more = {}): Unnumbered => ({
  type: 'cue',
  graphic: { ...shown(id, values), ...more },
})
const uncue = (presetId?: number): Unnumbered => ({ type: 'uncue', ...(presetId !== undefined && { presetId }) })
const take: Unnumbered = { type: 'take' }
const refresh: Unnumbered = { type: 'refresh', revisions: { 'match/1': 1 } }

const preview = (studio: Studio, picture = new Picture()) => studio.render(1, picture, 'bus=preview&heartbeat=2')
const valuesOf = ({ graphics }: Picture) =>
  Object.fromEntries([...graphics].map(([id, { variableValues }]) => [id, variableValues]))
/** The picture as somebody sees it who looks for the first time now. */
const afresh = async (studio: Studio) => {
  const { socket, picture } = await preview(studio)
  socket.end(1000, '')
  return picture
}

describe('[show-control: Pictures] the picture of preview', () => {
  test('it is what is on air with what is cued over it, and a take changes nothing in it', async () => {
    const studio = new Studio()
    studio.show(1, 'bug', { score: 1 })
    studio.show(1, 'third', { name: 'Ada' })
    studio.command(1, cue('third', { name: 'Bea' }))
    const { socket, picture } = await preview(studio)
    const program = await studio.render(1)
    expect(valuesOf(picture)).toEqual({ bug: { score: 1 }, third: { name: 'Bea' } })
    expect(valuesOf(program.picture)).toEqual({ bug: { score: 1 }, third: { name: 'Ada' } })

    studio.command(1, cue('card', { name: 'Cam' }))
    expect(Object.keys(valuesOf(picture))).toEqual(['bug', 'third', 'card'])
    expect(program.socket.messages()).toHaveLength(2)
    studio.update(1, 'bug', { score: 2 })
    studio.command(1, uncue())
    expect(valuesOf(picture)).toEqual({ bug: { score: 2 }, third: { name: 'Ada' } })

    studio.command(1, cue('third', { name: 'Dee' }))
    const told = socket.frames.length
    studio.command(1, take)
    expect(socket.frames).toHaveLength(told)
    expect(valuesOf(picture)).toEqual(valuesOf(program.picture))
    studio.command(1, { type: 'hideAll' })
    expect(picture.graphics.size).toBe(0)
    expect(picture.dropped).toBe(0)
  })

  test('a graphic of another theme takes the place of its namesake', async () => {
    const studio = new Studio()
    studio.show(1, 'third')
    const { picture } = await preview(studio)
    studio.command(1, cue('other', {}, { graphicName: 'Graphic third', themeId: 2 }))
    expect([...picture.graphics.keys()]).toEqual(['other'])
    studio.command(1, uncue())
    expect([...picture.graphics.keys()]).toEqual(['third'])
  })

  test('it follows live data, also with nothing on air', async () => {
    const studio = new Studio()
    const { picture } = await preview(studio)
    studio.command(1, cue('bug'))
    expect(picture.graphics.get('bug')?.data).toEqual({ score: 0 })
    studio.data = 7
    const seq = studio.command(1, refresh)
    expect(picture.graphics.get('bug')).toMatchObject({ data: { score: 7 }, seq })
    studio.command(1, uncue())
    expect(studio.command(1, refresh)).toBeUndefined()
  })

  test('commits while live data is read are there afterwards, in order', async () => {
    const studio = new Studio()
    studio.command(1, cue('bug', { n: 1 }))
    const slow = held()
    studio.live = async () => {
      await slow.promise
      return studio.liveNow()
    }
    const { picture } = await preview(studio)
    studio.command(1, cue('bug', { n: 2 }))
    studio.data = 3
    studio.command(1, refresh)
    expect(picture.graphics.size).toBe(0)
    slow.release()
    await settle()
    await settle()
    expect(picture.graphics.get('bug')).toMatchObject({ variableValues: { n: 2 }, data: { score: 3 }, seq: 3 })
  })

  test('who comes back is brought to it, whatever happened to preview and air meanwhile', async () => {
    const studio = new Studio()
    studio.show(1, 'third', { name: 'Ada' })
    const picture = new Picture()
    const first = await preview(studio, picture)
    studio.command(1, {
      type: 'batch',
      commands: [
        { type: 'show', graphic: shown('third', { name: 'Bea' }) },
        { type: 'cue', graphic: shown('third', { name: 'Cam' }) },
      ],
    })
    expect(valuesOf(picture)).toEqual({ third: { name: 'Cam' } })
    first.socket.end(1006, '')
    studio.command(1, uncue())
    studio.command(1, refresh)
    await preview(studio, picture)
    expect(valuesOf(picture)).toEqual({ third: { name: 'Bea' } })

    studio.restart()
    const second = await preview(studio, picture)
    expect(second.socket.messages()).toEqual([])
    studio.command(1, { type: 'hideAll' })
    expect(picture.graphics.size).toBe(0)
  })

  test('it is the same for who looks all the time and for who looks now, after any commands', async () => {
    const studio = new Studio()
    const { picture } = await preview(studio)
    const ids = ['a', 'b', 'c']
    // every pair of commands behind every other
    const commands = ids.flatMap((id) => [
      () => studio.show(1, id, { n: studio.state(1).seq }),
      () => studio.command(1, cue(id, { n: studio.state(1).seq })),
      () => studio.command(1, { type: 'hide', graphicId: id }),
    ])
    const all = [
      ...commands,
      () => studio.command(1, take),
      () => studio.command(1, uncue()),
      () => studio.command(1, refresh),
    ]
    for (const first of all)
      for (const second of all) {
        first()
        second()
        expect(valuesOf(picture)).toEqual(valuesOf(await afresh(studio)))
      }
    const seqs = [...picture.graphics.values()].map(({ seq }) => seq)
    expect(Math.max(0, ...seqs)).toBeLessThanOrEqual(studio.state(1).seq)
    expect(picture.dropped).toBe(0)
  })

  test('it is not late under an encoding delay', async () => {
    const studio = new Studio()
    studio.delays.set(1, 5)
    const { picture } = await preview(studio)
    const program = await studio.render(1)
    studio.show(1, 'bug')
    studio.command(1, cue('card'))
    expect([...picture.graphics.keys()]).toEqual(['bug', 'card'])
    expect(program.picture.graphics.size).toBe(0)
    studio.clock.advance(5_000)
    expect([...program.picture.graphics.keys()]).toEqual(['bug'])
  })

  test('who looks at it is no renderer: not counted, not listed, its paints nobody hears', async () => {
    const studio = new Studio()
    const { socket } = await studio.render(1, new Picture(), 'bus=preview&problems=1')
    const seq = studio.show(1, 'bug') ?? 0
    socket.painted('bug', seq)
    socket.problems({ graphicId: 'bug', graphicName: 'Bug', message: 'no font' })
    expect(socket.closedWith).toBeUndefined()
    expect([studio.hub.renderers(1), studio.hub.ownRenderers(), studio.noted.size]).toEqual([0, [], 0])
    expect([studio.paints, studio.latencies, studio.troubles]).toEqual([[], [], 0])
    expect(studio.hub.count()).toMatchObject({ renderers: 0, pictures: 1 })
    // pages have it below their own address
    const inside = await studio.upgrade('/control/{token}/picture/socket', { token: 'control-1' }, 'bus=preview')
    inside?.ready()
    studio.command(1, cue('card'))
    expect(inside?.messages().map(({ payload }) => payload.graphicId)).toEqual(['bug', 'card'])
  })

  test('its heart beats by its own frames, and no frame is made when nobody looks', async () => {
    const studio = new Studio()
    const { socket } = await preview(studio)
    const program = await studio.render(1)
    const hellos = () => socket.frames.filter((text) => text.includes('"HELLO"')).length
    studio.command(1, cue('a'))
    expect(hellos()).toBe(1)
    // program hears of this, and preview looks the same
    studio.clock.advance(1_500)
    studio.command(1, take)
    studio.clock.advance(1_000)
    expect(hellos()).toBe(2)
    socket.end(1000, '')
    studio.published.length = 0
    studio.command(1, cue('b'))
    studio.show(1, 'c')
    expect(studio.published.map(({ topic }) => topic)).toEqual(['overlay/1'])
    program.socket.end(1000, '')
    expect(studio.hub.overlays()).toEqual([])
  })

  test('it goes with its overlay, and with the key that it came in by', async () => {
    const studio = new Studio()
    studio.command(1, cue('a'))
    const { socket, picture } = await preview(studio)
    studio.tokens.set(1, { ...studio.cardOf(1).tokens, key: 'key-new' })
    studio.hub.changed(studio.cardOf(1))
    expect(socket.closedWith?.code).toBe(1008)
    expect(picture.graphics.size).toBe(1)
    studio.tokens.clear()
    studio.hub.changed(studio.cardOf(1))
    const second = await preview(studio)
    studio.hub.removed(1)
    expect(second.picture.graphics.size).toBe(0)
    expect(second.socket.closedWith?.code).toBe(1008)
  })
})
