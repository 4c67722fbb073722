import { expect, onTestFinished, test, vi } from 'vitest'
import { putBytes } from '../resources/code-graphics-support.ts'
import { animatorWith, done, riv } from '../resources/motion-graphics-support.ts'
import { newOrganization, type TestApp } from '../support/app.ts'
import { testDatabaseOfOneTest } from '../support/database.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { built, start } from '../support/process.ts'

const SERVING = { timeout: 60_000, interval: 100 }

test('P6: an import whose server is killed while it looks at the file is ready after the next start', async () => {
  const database = await testDatabaseOfOneTest()
  const { sql } = database
  const dataDir = temporaryDirectory()
  let origin = ''
  const serve = async () => {
    const environment = { HOST: '127.0.0.1', PORT: '0', DEMO: 'off', LOG_LEVEL: 'info', DATABASE_URL: database.url }
    const server = start([built('run/server.js')], { ...environment, DATA_DIR: dataDir, RATE_LIMIT: 'off' })
    const port = await server.line((line) => {
      const { msg, port } = JSON.parse(line)
      return msg === 'serving' ? Number(port) : undefined
    })
    origin = `http://127.0.0.1:${port}`
    await vi.waitFor(async () => expect((await fetch(`${origin}/readyz`)).status).toBe(200), SERVING)
    return server
  }
  const call: TestApp['call'] = async (method, path, { key, body } = {}) => {
    const answer = await fetch(`${origin}/rest${path}`, {
      method,
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return { status: answer.status, headers: answer.headers, body: JSON.parse(await answer.text()) }
  }
  const first = await serve()
  const { id, key } = await newOrganization(database)
  const theme = done(await call('POST', '/v2/themes', { key, body: { name: 'Theme', sports: ['football'] } }))
  const ann = animatorWith({ call, database }, id, Number(theme.id), key)
  const graphic = await ann.create('Across a kill')
  const opened = done(await ann.declare(graphic, 'card.riv', riv))
  const { jobId, url, headers } = opened as { jobId: string; url: string; headers: Record<string, string> }

  // what was found out cannot be written meanwhile
  const holder = await sql.reserve()
  onTestFinished(() => holder.release())
  await holder`begin`
  await holder`select from motion_import where job_id = ${jobId} for update`
  const address = new URL(url)
  expect((await putBytes(`${origin}${address.pathname}`, riv, headers)).status).toBe(200)
  await ann.settled(jobId, ['validating'])
  first.kill('SIGKILL')
  expect(await first.ended).toBe('SIGKILL')
  await holder`rollback`

  await serve()
  expect((await ann.settled(jobId)).state).toBe('ready')
  expect((await ann.apply(jobId)).status).toBe(200)
  expect((await ann.read(graphic.graphicId)).stateMachine.currentArtboard).toBe('Main')
}, 180_000)
