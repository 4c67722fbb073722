import { describe, expect, test } from 'vitest'
import { follow, keyPath, payloads } from '../support/follow.ts'
import { Picture } from '../support/picture.ts'
import { held, Studio, settle, shown } from '../support/studio.ts'

const begin = { type: 'rehearse', on: true } as const
const end = { type: 'rehearse', on: false } as const
/** The picture inside the page of a control room. */
async function look(studio: Studio, picture = new Picture()) {
  const socket = await studio.upgrade('/control/{token}/picture/socket', { token: 'control-1' })
  if (!socket) throw new Error('the upgrade was refused')
  for (const text of socket.frames) picture.apply(text)
  socket.onFrame = (text) => void picture.apply(text)
  socket.ready(picture.showing())
  await settle()
  return { socket, picture }
}
const names = ({ graphics }: Picture) => [...graphics.keys()].sort()

describe('[show-control: rehearsal] what a rehearsal shows', () => {
  test('pictures inside pages show it, renderers do not, whenever they come', async () => {
    const studio = new Studio()
    const program = await studio.render(1)
    const first = await look(studio)
    studio.command(1, begin)
    // they come again, for the other screen
    expect(first.socket.closedWith).toEqual({ code: 1012, reason: 'rehearsal' })
    const looked = await look(studio, first.picture)
    studio.show(1, 'a', { n: 1 })
    studio.update(1, 'a', { n: 2 })
    studio.show(1, 'b')
    studio.data = 4
    studio.command(1, { type: 'refresh', revisions: { 'match/1': 1 } })
    expect(names(looked.picture)).toEqual(['a', 'b'])
    expect(looked.picture.graphics.get('a')).toMatchObject({ variableValues: { n: 2 }, data: { score: 4 } })
    const later = await look(studio)
    expect(names(later.picture)).toEqual(['a', 'b'])
    const came = await studio.render(1)
    expect([program, came].map(({ socket }) => socket.messages())).toEqual([[], []])

    studio.command(1, end)
    expect(looked.socket.closedWith?.code).toBe(1012)
    const again = await look(studio, looked.picture)
    expect(names(again.picture)).toEqual([])
    studio.show(1, 'c')
    expect([program, came, again].map(({ picture }) => names(picture))).toEqual([['c'], ['c'], ['c']])
    expect(studio.hub.count()).toMatchObject({ renderers: 2, pictures: 1 })
  })

  test('[integrations: OGraf Server API] an instance that is loaded in rehearsal is told to nobody', async () => {
    const studio = new Studio()
    const { socket } = await studio.render(1)
    const ograf = { step: 0, stepCount: 1 }
    const load = (id: string) =>
      studio.command(1, {
        ...({ type: 'instance', act: 'load', id, call: { id } } as const),
        graphic: { ...shown(id), ograf },
      })
    studio.command(1, begin)
    load('one')
    studio.command(1, end)
    expect(socket.messages()).toEqual([])
    load('two')
    expect(socket.messages()).toMatchObject([{ type: 'PREPARE_GRAPHIC', payload: { instance: 'two' } }])
  })

  test('a picture that comes first after a restart shows it, alone or not, and is not sent away', async () => {
    const studio = new Studio()
    studio.command(1, begin)
    studio.show(1, 'a')
    studio.restart()
    const slow = held()
    studio.beforeRead = () => slow.promise
    const { socket, picture } = await look(studio)
    studio.show(1, 'b')
    slow.release()
    await settle()
    await settle()
    expect([socket.closedWith, names(picture)]).toEqual([undefined, ['a', 'b']])
  })

  test('preview is what a take would make of it, and stays where it is', async () => {
    const studio = new Studio()
    const { socket, picture } = await studio.render(1, new Picture(), 'bus=preview')
    const program = await studio.render(1)
    studio.command(1, begin)
    studio.show(1, 'a')
    studio.command(1, { type: 'cue', graphic: shown('b') })
    expect(names(picture)).toEqual(['a', 'b'])
    studio.command(1, { type: 'take' })
    studio.data = 3
    studio.command(1, { type: 'refresh', revisions: { 'match/1': 1 } })
    expect([...picture.graphics.values()].map(({ data }) => data)).toEqual([{ score: 3 }, { score: 3 }])
    studio.command(1, end)
    expect([names(picture), socket.closedWith, program.socket.messages()]).toEqual([[], undefined, []])
  })

  test('a delay does not hold it back, and what the delay still shows goes off in its time', async () => {
    const studio = new Studio()
    studio.setDelay(1, 5)
    const program = await studio.render(1)
    studio.show(1, 'a')
    studio.clock.advance(1_000)
    studio.command(1, { type: 'hideAll' })
    studio.command(1, begin)
    const looked = await look(studio)
    studio.show(1, 'b')
    expect(names(looked.picture)).toEqual(['b'])
    expect(names(program.picture)).toEqual([])
    studio.clock.advance(4_000)
    expect(names(program.picture)).toEqual(['a'])
    studio.clock.advance(20_000)
    expect(names(program.picture)).toEqual([])
  })

  test('followers are told all of it as it happens, and that it is a rehearsal, also who comes back', async () => {
    const studio = new Studio()
    studio.command(1, begin)
    studio.show(1, 'a')
    const follower = await follow(studio)
    const [snapshot] = payloads(follower, 'SNAPSHOT')
    expect(snapshot).toMatchObject({ rehearsal: true, onAir: [{ graphicId: 'a', painted: { renderers: 0 } }] })
    studio.show(1, 'b')
    const cursor = payloads(follower, 'CHANGE').at(-1)?.cursor
    studio.command(1, end)
    expect(payloads(follower, 'CHANGE')).toMatchObject([
      { action: 'show', shown: [{ graphicId: 'b' }], hidden: [] },
      { action: 'rehearse', shown: [], hidden: [{ graphicId: 'a' }, { graphicId: 'b' }], rehearsal: false },
    ])
    const back = await follow(studio, keyPath, `cursor=${cursor}`)
    await settle()
    expect(payloads(back, 'CHANGE')).toEqual(payloads(follower, 'CHANGE').slice(1))
    expect(payloads(await follow(studio), 'SNAPSHOT')).toMatchObject([{ rehearsal: false, onAir: [] }])
  })
})
