import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { png, sha256 } from '../support/images.ts'
import { Renderer } from '../support/renderer.ts'
import { type Production, startProduction } from './support.ts'

let production: Production
let renderer: Renderer

beforeAll(async () => {
  production = await startProduction()
  const { server, overlay } = production
  renderer = new Renderer({ url: `ws://127.0.0.1:${server.port}/overlay/${overlay.key}/socket` })
  await renderer.waitFor(({ connected }) => connected)
  expect((await production.fire('show', 'Score bug')).status).toBe(200)
  await renderer.waitFor((one) => one.shows().size === 1)
})
afterAll(async () => {
  renderer.close()
  await production.close()
})

const Data = z.object({ teams: z.object({ home: z.record(z.string(), z.unknown()) }) })
/** The home team as the graphic on air has it. */
const home = (one: Renderer) => {
  const [graphic] = one.shows().values()
  const data = Data.safeParse(graphic?.data)
  return data.success ? data.data.teams.home : {}
}
const homePath = () => `/v1/teams/${production.teamIds[0]}`

it('[issue 3.2] a colour, a name and the staff of a team change on air', async () => {
  const nonPlayerStaff = [
    { firstName: 'Ida', lastName: 'Second', role: 'assistantManager' },
    { firstName: 'Eva', lastName: 'First', role: 'manager' },
  ]
  await production.call('PATCH', homePath(), { gfxName: 'Renamed', primaryBackgroundColor: '#abcdef', nonPlayerStaff })
  await renderer.waitFor((one) => home(one).primaryBackgroundColor === '#abcdef')
  expect(home(renderer)).toMatchObject({ gfxName: 'Renamed', coach: 'Eva First' })
})

it('[issue 3.2] a logo of the club, then of the team, and their removal reach what is on air', async () => {
  const { body: club } = await production.call('POST', '/v1/teams/clubs', { name: 'On Air Club' })
  await production.call('PATCH', homePath(), { clubId: club.id })
  const setLogo = async (path: string, shade: number) => {
    const bytes = png(6, 6, shade)
    const declared = { contentType: 'image/png', size: bytes.length, sha256: sha256(bytes) }
    const { body } = await production.call('POST', `${path}/logo/uploads`, declared)
    const headers = { 'content-type': declared.contentType, 'x-cloud-checksum-sha256': declared.sha256 }
    await fetch(String(body.url), { method: 'PUT', headers, body: new Uint8Array(bytes) })
    const answer = await production.call('PUT', `${path}/logo`, { uploadId: body.uploadId })
    expect(answer.status).toBe(200)
    return answer.body.logoUrl
  }
  const clubPath = `/v1/teams/clubs/${club.id}`
  const ofClub = await setLogo(clubPath, 1)
  await renderer.waitFor((one) => home(one).logoUrl === ofClub)
  const ofTeam = await setLogo(homePath(), 2)
  await renderer.waitFor((one) => home(one).logoUrl === ofTeam)
  await production.call('DELETE', `${homePath()}/logo`)
  await renderer.waitFor((one) => home(one).logoUrl === ofClub)
  await production.call('DELETE', `${clubPath}/logo`)
  await renderer.waitFor((one) => home(one).logoUrl === undefined)
})
