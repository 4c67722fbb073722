import { createHash } from 'node:crypto'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  COARSE,
  type Colour,
  like,
  noChromium,
  openWindows,
  type Shot,
  seen,
  type Windows,
} from '../browser/support/chromium.ts'
import { newOrganization, startApp, type TestApp } from '../support/app.ts'

const RED: Colour = [255, 0, 0, 255]
const GREEN: Colour = [0, 128, 0, 255]
const BLUE: Colour = [0, 0, 255, 255]
const ORANGE: Colour = [255, 165, 0, 255]
const CLEAR: Colour = [0, 0, 0, 0]

/** A bar in the colour of the theme, and beside it a box whose colour an expression takes from the first row of the table. */
const page = (top: number) => `<!doctype html>
<meta charset="utf-8">
<link rel="stylesheet" href="style.css">
<style>#bar, #box { top: ${top}px }</style>
<body hidden>
<div id="bar"></div><div id="box"></div>
<script src="script.js"></script>`

const STYLE = `html, body { margin: 0; background: transparent }
#bar, #box { position: absolute; height: 100px; font: 700 64px/100px sans-serif; color: #fff; white-space: nowrap }
#bar { left: 100px; width: 800px; text-indent: 260px }
#box { left: 900px; width: 300px; text-indent: 130px }`

const SCRIPT = `let shown = {}
const tell = (payload) => parent.postMessage({ type: 'READY', payload }, '*')
addEventListener('message', ({ data: { type, payload } }) => {
  if (type === 'HELLO') return tell({})
  if (type === 'LOAD_GRAPHIC') shown = payload
  else if (type === 'GRAPHIC_UPDATE') shown = { ...shown, ...payload }
  else return
  const { onAir = true, variableValues = {}, themeVariables = {}, data = {}, seq } = shown
  const row = data.dataSources?.table?.[0] ?? {}
  document.body.hidden = !onAir
  document.querySelector('#bar').textContent = variableValues.title ?? ''
  document.querySelector('#bar').style.background = themeVariables.barColour
  document.querySelector('#box').textContent = row.points ?? ''
  document.querySelector('#box').style.background = data.expressions?.box ?? 'none'
  tell({ seq })
})`

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

const bundleOf = (top: number) => [
  { name: 'index.html', mime: 'text/html', text: page(top) },
  { name: 'script.js', mime: 'text/javascript', text: SCRIPT },
  { name: 'style.css', mime: 'text/css', text: STYLE },
]

describe.skipIf(noChromium)('[issue 4] the loop of a designer, over HTTP alone', () => {
  let app: TestApp
  let browser: Windows
  let key: string

  beforeAll(async () => {
    app = await startApp()
    key = (await newOrganization(app.database)).key
    browser = await openWindows()
  })
  afterAll(async () => {
    await browser?.close()
    await app?.close()
  })

  /** A call that must succeed. */
  const call = async (method: string, path: string, body?: unknown) => {
    const answer = await app.call(method, path, { key, body })
    expect(answer.status, `${method} ${path}: ${JSON.stringify(answer.body)}`).toBeLessThan(300)
    return answer.body
  }
  const idOf = async (method: string, path: string, body: unknown) => Number((await call(method, path, body)).id)

  const open = async (url: string): Promise<Page> => {
    const opened = await browser.newPage(COARSE)
    await opened.goto(url)
    return opened
  }

  /** Waits until the bar stands at this height in this colour, with the box beside it. */
  const picture = async (from: Page, { top, bar, box }: { top: number; bar: Colour; box: Colour }) => {
    const right = (shot: Shot) => like(shot.at(150, top + 50), bar) && like(shot.at(950, top + 50), box)
    await seen(from, right)
  }

  /** Declares the files, sends those that are not there, and puts the bundle in place. Answers the names that were sent. */
  const upload = async (graphic: string, files: ReturnType<typeof bundleOf>) => {
    const declared = files.map(({ text, ...file }) => ({ ...file, size: Buffer.byteLength(text), hash: sha256(text) }))
    const session = (await call('POST', `${graphic}/uploads`, { files: declared })) as unknown as {
      uploadSessionId: string
      files: { name: string; url: string | null; headers: Record<string, string> }[]
    }
    const wanted = session.files.filter(({ url }) => url !== null)
    for (const { name, url, headers } of wanted) {
      const body = files.find((file) => file.name === name)?.text ?? ''
      expect((await fetch(url ?? '', { method: 'PUT', headers, body })).status).toBe(200)
    }
    await call('PUT', `${graphic}/bundle`, { files: declared, uploadSessionId: session.uploadSessionId })
    return wanted.map(({ name }) => name)
  }

  test('create, upload, preview, publish, activate, fire, change a variable and a row, roll back', async () => {
    // a theme with a variable, a table and a graphic
    const themeId = await idOf('POST', '/v2/themes', { name: 'Loop', sports: ['football'] })
    const theme = `/v2/themes/${themeId}`
    await call('POST', `${theme}/variables`, {
      name: 'barColour',
      type: 'string',
      defaultValue: '#ff0000',
      isStyle: true,
    })
    const sample = 'team,points,colour\nNorrvik,3,orange\n'
    await call('POST', `${theme}/data-source-templates`, { alias: 'table', sourceType: 'csv', shape: 'rows', sample })
    const controlVariables = [{ id: 'title', name: 'title', type: 'string', defaultValue: 'Leaders' }]
    const { graphicId } = await call('POST', `${theme}/code-graphics`, {
      name: 'Leader bar',
      stateMachine: {
        runtime: { entry: 'index.html' },
        selectedSchemas: ['match', 'table'],
        controlVariables,
        userExpressions: [{ id: 'box', name: 'box', expression: 'dataSources.table[0].colour' }],
      },
    })
    const graphic = `${theme}/code-graphics/${graphicId}`
    expect(await upload(graphic, bundleOf(800))).toEqual(['index.html', 'script.js', 'style.css'])

    expect(await call('POST', `${graphic}/evaluate`, {})).toMatchObject({
      userExpressions: [{ name: 'box', value: 'orange', ok: true, error: null }],
      unresolved: 0,
    })

    // the working copy, in a match that is being played somewhere else
    const { scenarios } = (await call('GET', '/v2/scenarios?sport=football')) as {
      scenarios: { id: string; name: string }[]
    }
    const { url } = await call('POST', `${graphic}/previews`, {
      scenarioId: scenarios[1]?.id,
      variableValues: { title: 'Preview' },
    })
    const preview = await open(`${url}?clean`)
    await picture(preview, { top: 800, bar: RED, box: ORANGE })
    await preview.close()

    // published and active, and a control room with one preset
    expect((await call('POST', `${graphic}/publish`)).publishedVersion).toBe(1)
    expect(await call('POST', `${theme}/versions`, { activate: true })).toMatchObject({ version: 1, activeVersion: 1 })
    const room = (await call('POST', '/v2/control-rooms', { themeId, name: 'Desk', sections: [] })) as { id?: unknown }
    const { id: sectionId } = await call('POST', `/v2/control-rooms/${room.id}/sections`, {
      name: 'In play',
      colorKey: 'green',
    })
    const presetId = await idOf('POST', `/v2/control-rooms/${room.id}/presets`, {
      sectionId,
      graphicId,
      name: 'Leaders',
      variableValues: {},
      exposedVariables: ['title'],
    })

    // a match with an overlay that wears the theme
    const competitionId = await idOf('POST', '/v1/competitions', {
      name: 'Winter League',
      sport: 'football',
      age: 'Senior',
      gender: 'Female',
      gradeId: 1,
    })
    const team = (name: string) =>
      idOf('POST', '/v1/teams', { name, sport: 'football', competitionIds: [competitionId] })
    const homeTeamId = await team('Norrvik City')
    const awayTeamId = await team('Lake United')
    const date = '2027-03-01T18:00:00+01:00'
    const matchId = await idOf('POST', '/v2/matches', {
      competitionId,
      homeTeamId,
      awayTeamId,
      date,
      timezone: 'Europe/Oslo',
    })
    const profileId = await idOf('POST', `/v2/competitions/${competitionId}/theme-profiles`, {
      themeId,
      name: 'Winter',
      defaultControlRoomId: room.id,
    })
    const overlay = await call('POST', '/v1/overlays', {
      name: 'Program',
      matchId,
      autoMode: false,
      adType: 'noBrands',
      competitionThemeSettingId: profileId,
      controlRoomId: room.id,
    })
    const program = await open(`${app.origin}/overlay/${overlay.key}`)
    const fire = (action: string, variableValues = {}) =>
      call('POST', `/v2/overlays/${overlay.id}/control-room/graphics`, { action, presetId, variableValues })
    await fire('show')
    await seen(program, (shot) => like(shot.at(150, 850), RED) && like(shot.at(950, 850), CLEAR))
    // nobody has set the title: it has its default, also when other values are set and taken away
    const title = () => program.frameLocator('iframe').locator('#bar').textContent()
    await expect.poll(title).toBe('Leaders')
    await fire('update', { title: 'Top' })
    await expect.poll(title).toBe('Top')
    await fire('update')
    await expect.poll(title).toBe('Leaders')

    // a row arrives, then a variable of the theme, then one of the competition; the graphic stays where it is
    const push = (colour: string) =>
      call('POST', `/v2/data-sources/${profileId}/table`, { rows: [{ team: 'Norrvik', points: 6, colour }] })
    await push('orange')
    await picture(program, { top: 800, bar: RED, box: ORANGE })
    await push('blue')
    await picture(program, { top: 800, bar: RED, box: BLUE })
    await call('PATCH', `${theme}/variables/barColour`, { defaultValue: '#008000' })
    await picture(program, { top: 800, bar: GREEN, box: BLUE })

    // another version: only its page is sent; what is on air stays until it is shown again
    expect(await upload(graphic, bundleOf(200))).toEqual(['index.html'])
    expect((await call('POST', `${graphic}/publish`)).publishedVersion).toBe(2)
    expect(await call('POST', `${theme}/versions`, { activate: true })).toMatchObject({ version: 2, activeVersion: 2 })
    await push('orange')
    await picture(program, { top: 800, bar: GREEN, box: ORANGE })
    await fire('hide')
    await seen(program, (shot) => shot.painted === 0)
    await fire('show')
    await picture(program, { top: 200, bar: GREEN, box: ORANGE })

    // back to the first, which the next show brings
    expect(await call('POST', `${theme}/versions/1/activate`, {})).toMatchObject({
      activeVersion: 1,
      previousVersion: 2,
    })
    await push('blue')
    await picture(program, { top: 200, bar: GREEN, box: BLUE })
    await fire('hide')
    await seen(program, (shot) => shot.painted === 0)
    await fire('show')
    await picture(program, { top: 800, bar: GREEN, box: BLUE })
  })
})
