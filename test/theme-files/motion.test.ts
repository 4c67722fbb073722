import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { MotionGraphic, MotionGraphicList } from '../../src/resources/motion-graphics/schema.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { motionCard } from '../support/motion-card.ts'
import { contents, designer, stateMachine, told, write } from './support.ts'

type Designer = Awaited<ReturnType<typeof designer>>

let server: TestApp
let mark: Buffer
beforeAll(async () => {
  server = await startApp()
  mark = await sharp({ create: { width: 40, height: 20, channels: 4, background: '#008000' } })
    .png()
    .toBuffer()
})
afterAll(() => server.close())

const title = { name: 'title', type: 'string', defaultValue: 'Nobody', description: 'Who', exitMode: 'immediate' }
const set = {
  currentArtboard: 'Card',
  currentStateMachine: 'Machine',
  x: 120,
  y: 800,
  renderer: 'canvas',
  deferInitialShow: true,
  selectedSchemas: ['match'],
  controlVariables: [title],
  userExpressions: [
    { name: 'line', expression: 'variables.title + " " + match.score.home' },
    { name: 'loud', expression: 'expressions.line.upper()', description: 'For the headline' },
  ],
  dataBindings: [
    { name: 'accent', value: '#008000' },
    {
      name: 'badge',
      expression: 'teams.home.logo',
      imageTransform: { outWidth: 160, outHeight: 160, fit: 'cover' },
      viewModelProperty: { imageDimensions: { width: 160, height: 160 } },
    },
    { name: 'headline', expression: 'expressions.loud' },
  ],
  assets: [{ uniqueFileName: 'mark-22.png', expression: '"/logo.png"', exposed: { name: 'Sponsor', required: true } }],
}

function theme(name = 'Moving'): string {
  const folder = temporaryDirectory()
  const preset = { name: 'Guest', graphic: 'Card', variableValues: { title: 'Ada' }, exposedVariables: ['title'] }
  write(folder, 'theme.json', {
    name,
    sports: ['football'],
    controlRooms: [{ name: 'Desk', sections: [{ name: 'One', presets: [preset] }] }],
  })
  write(folder, 'graphics/card/graphic.json', { type: 'rive', name: 'Card', stateMachine: set })
  writeFileSync(join(folder, 'graphics/card/graphic.riv'), motionCard())
  write(folder, 'graphics/card/assets/mark-22.png', '')
  writeFileSync(join(folder, 'graphics/card/assets/mark-22.png'), mark)
  return folder
}

const say = (folder: string, more: object) =>
  write(folder, 'graphics/card/graphic.json', { type: 'rive', name: 'Card', stateMachine: { ...set, ...more } })

async function cardOf(call: Designer['call'], themeId: number | null) {
  const at = `/v2/themes/${themeId}/motion-graphics`
  const [{ graphicId } = { graphicId: '' }] = MotionGraphicList.parse((await call('GET', at)).body)
  return MotionGraphic.parse((await call('GET', `${at}/${graphicId}`)).body)
}

describe('[issue 4.10] motion graphics of a theme as files', () => {
  test('are imported, bound, published and activated; the second time there is nothing to do', async () => {
    const { push, call } = await designer(server)
    const folder = theme()
    const first = await push(folder, { activate: true })
    expect(told(first)).toEqual([
      'create theme Moving',
      'create graphic Card',
      'update bundle Card',
      'publish graphic Card',
      'publish themeVersion 1',
      'create controlRoom Desk',
      'create preset Desk / One / Guest',
    ])
    expect(first.uploaded.files).toBe(2)
    const body = await cardOf(call, first.themeId)
    expect(body).toMatchObject({ publishedVersions: [1], stateMachine: { x: 120, y: 800, renderer: 'canvas' } })
    expect(body.stateMachine.dataBindings).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ name: 'headline', expression: 'expressions.loud' }),
        expect.objectContaining({ name: 'points', expression: '' }),
      ]),
    )
    const again = await push(folder, { activate: true })
    expect(again.changes).toEqual([])
  })

  test('only what differs is sent: a value, a variable, an expression, the file', async () => {
    const { push, call } = await designer(server)
    const folder = theme()
    const { themeId } = await push(folder, { activate: true })
    say(folder, {
      x: 0,
      renderer: null,
      controlVariables: [
        { ...title, defaultValue: 'Ada' },
        { name: 'wide', type: 'boolean', defaultValue: false },
      ],
      userExpressions: [set.userExpressions[0], { name: 'quiet', expression: 'expressions.line.lower()' }],
      dataBindings: [{ name: 'headline', expression: 'expressions.quiet' }],
      assets: [],
    })
    const changed = await push(folder, { activate: true })
    expect(told(changed)).toEqual(['update bundle Card', 'publish graphic Card', 'publish themeVersion 2'])
    expect(changed.changes[0]).toMatchObject({ changed: ['stateMachine'], uploads: [] })
    expect((await push(folder, { activate: true })).changes).toEqual([])
    const { stateMachine: parts } = await cardOf(call, themeId)
    expect(parts.renderer).toBeUndefined()
    expect(parts.userExpressions?.map(({ name }) => name)).toEqual(['line', 'quiet'])
    // one that others are to read comes first, and what reads them stays bound
    const more = {
      x: 0,
      userExpressions: [
        { name: 'first', expression: 'variables.title' },
        { name: 'line', expression: 'expressions.first + " on air"' },
        { name: 'quiet', expression: 'expressions.line.lower()' },
      ],
      dataBindings: [{ name: 'headline', expression: 'expressions.quiet' }],
      assets: [],
    }
    say(folder, more)
    await push(folder)
    const { stateMachine: later } = await cardOf(call, themeId)
    expect(later.userExpressions?.map(({ name }) => name)).toEqual(['first', 'line', 'quiet'])
    expect(later.dataBindings.find(({ name }) => name === 'headline')?.expression).toBe('expressions.quiet')
    expect((await push(folder)).changes).toEqual([])
    // a file of other bytes, with the same parts
    writeFileSync(join(folder, 'graphics/card/graphic.riv'), Buffer.concat([motionCard(), Buffer.from([23, 0])]))
    const sent = await push(folder)
    expect(sent.changes[0]).toMatchObject({ changed: ['files'], uploads: ['graphic.riv'] })
    expect((await push(folder)).changes).toEqual([])
  })

  test('pull, push to another organization, pull again: identical folders, byte for byte', async () => {
    const one = await designer(server)
    const { themeId } = await one.push(theme(), { activate: true })
    const [first, second] = [temporaryDirectory(), temporaryDirectory()]
    await one.pull(first, themeId, { version: 1 })
    expect(Object.keys(contents(first))).toEqual([
      'graphics/card/assets/mark-22.png',
      'graphics/card/graphic.json',
      'graphics/card/graphic.riv',
      'theme.json',
    ])
    const other = await designer(server)
    const pushed = await other.push(first, { activate: true })
    await other.pull(second, pushed.themeId)
    expect(contents(second)).toEqual(contents(first))
    // and a folder that says the same is left as it is
    const own = theme()
    await one.push(own, { activate: true })
    expect((await one.pull(own, themeId)).written).toEqual([])
  })

  test('what the file does not have, what is no part of it, and another kind of graphic of the name are told', async () => {
    const { push } = await designer(server)
    const folder = theme()
    say(folder, { dataBindings: [{ name: 'nobody', value: '1' }] })
    await expect(push(folder)).rejects.toThrow(/Card.*the motion file has no nobody/)
    write(folder, 'graphics/card/index.html', 'x')
    await expect(push(folder)).rejects.toThrow(/index\.html: a motion graphic has graphic\.riv/)
    rmSync(join(folder, 'graphics/card'), { recursive: true })
    write(folder, 'graphics/card/graphic.json', { name: 'Card', stateMachine })
    await expect(push(folder)).rejects.toThrow(/a graphic Card of the other type/)
  })

  test('a file that nobody can read stops the push with the reason', async () => {
    const { push } = await designer(server)
    const folder = theme()
    writeFileSync(join(folder, 'graphics/card/graphic.riv'), 'not a motion file')
    await expect(push(folder)).rejects.toThrow(/graphic\.riv/)
  })
})
