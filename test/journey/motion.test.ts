import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { RoomDetailAnswer } from '../../src/theme-files/answers.ts'
import {
  type Colour,
  like,
  noChromium,
  openWindows,
  type Shot,
  seen,
  type Windows,
} from '../browser/support/chromium.ts'
import { type Production, startProduction } from '../resources/support.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { motionCard } from '../support/motion-card.ts'
import { designer, write } from '../theme-files/support.ts'

const RED: Colour = [228, 0, 43, 255]
const GREEN: Colour = [0, 128, 0, 255]
const NAVY: Colour = [11, 31, 58, 255]

/** The card at 120, 800, with its colour from the theme and a bar of 200 pixels for each home goal. */
function theme(): string {
  const folder = temporaryDirectory()
  const guest = { name: 'Guest card', graphic: 'Guest card', variableValues: {}, exposedVariables: ['name'] }
  write(folder, 'theme.json', {
    name: 'Moving',
    sports: ['football'],
    variables: [{ name: 'card', type: 'string', defaultValue: '#e4002b', isStyle: true }],
    controlRooms: [{ name: 'Match day', sections: [{ name: 'Motion', presets: [guest] }] }],
  })
  write(folder, 'graphics/card/graphic.json', {
    type: 'rive',
    name: 'Guest card',
    stateMachine: {
      x: 120,
      y: 800,
      controlVariables: [{ name: 'name', type: 'string', defaultValue: 'Nobody' }],
      userExpressions: [{ name: 'bar', expression: 'match.score.home * 400' }],
      dataBindings: [
        { name: 'accent', expression: 'theme.card' },
        { name: 'headline', expression: 'variables.name' },
        { name: 'points', expression: 'expressions.bar' },
      ],
    },
  })
  writeFileSync(join(folder, 'graphics/card/graphic.riv'), motionCard())
  return folder
}

describe.skipIf(noChromium)('[issue 4] a motion graphic from its file to the picture', () => {
  let production: Production
  let browser: Windows
  let page: Page
  let presetId: number
  let graphicId: string

  beforeAll(async () => {
    production = await startProduction()
    browser = await openWindows()
    page = await browser.newPage({ viewport: { width: 1920, height: 1080 } })
  })
  afterAll(async () => {
    await browser?.close()
    await production?.close()
  })

  const call = async (method: string, path: string, body?: unknown) => {
    const answer = await production.call(method, path, body)
    expect(answer.status, `${method} ${path}: ${JSON.stringify(answer.body)}`).toBeLessThan(300)
    return answer.body
  }
  const fire = (action: string, variableValues = {}) =>
    call('POST', `/v2/overlays/${production.overlay.id}/control-room/graphics`, { action, presetId, variableValues })
  const card = (colour: Colour) => (shot: Shot) => like(shot.at(150, 830), colour)
  const barOf = (shot: Shot) => {
    let width = 0
    while (like(shot.at(120 + width, 990), NAVY)) width++
    return width
  }

  test('fired from a control room it is on air with what the match, the theme and the operator say', async () => {
    const { push } = await designer(production.server, { key: production.apiKey })
    await push(theme(), { themeId: production.themeId, activate: true })
    const room = RoomDetailAnswer.parse(await call('GET', `/v2/control-rooms/${production.controlRoomId}`))
    const preset = room.presets.find(({ name }) => name === 'Guest card')
    presetId = preset?.id ?? 0
    graphicId = preset?.graphicId ?? ''
    await page.goto(production.overlay.url)
    await fire('show', { name: 'Mairéad Kinsellagh' })
    expect(barOf(await seen(page, card(RED)))).toBe(0)
    // a goal, then a colour: both arrive where it stands
    const matchId = production.matchId
    await call('POST', `/v2/matches/${matchId}/facts`, { type: 'matchStart' })
    await call('POST', `/v2/matches/${matchId}/facts`, { type: 'goal', teamId: production.teamIds[0] })
    await seen(page, (shot) => barOf(shot) === 200)
    await call('PATCH', `/v2/themes/${production.themeId}/variables/card`, { defaultValue: '#008000' })
    await seen(page, card(GREEN))
    const named = await seen(page, card(GREEN))
    await fire('update', { name: 'Bo' })
    await seen(page, (shot) => card(GREEN)(shot) && !shot.equals(named))
    await fire('hide')
    await seen(page, (shot) => shot.painted === 0)
  })

  test('a preview shows it in a situation that the match is not in', async () => {
    const path = `/v2/themes/${production.themeId}/motion-graphics/${graphicId}/previews`
    const { url } = await call('POST', path, { scenarioId: 'football-goal', variableValues: { name: 'Preview' } })
    const preview = await browser.newPage({ viewport: { width: 1920, height: 1080 } })
    await preview.goto(`${String(url)}?clean`)
    await seen(preview, (shot) => card(GREEN)(shot) && barOf(shot) > 0)
    await preview.close()
  })
})
