// A node that works timers and dies when its test kills it. The event of a timer is a row in `effect`.
import { pino } from 'pino'
import { connectDatabase } from '../../dist/src/store/postgres.js'
import { startWorkers } from '../../dist/workers/start.js'

const [url, skewMs = '0'] = process.argv.slice(2)
const now = Date.now
Date.now = () => now() + Number(skewMs)
const { sql } = connectDatabase(url, { connections: 2 })
const fire = async (ref, name) => {
  await sql`
    with fired as (
      delete from timer where ref = ${ref} and name = ${name} and due_at <= clock_timestamp() returning ref)
    insert into effect (what) select ref from fired`
}
// as a server does: one that starts while all others do waits for its first connection
for (let tries = 1; ; tries++)
  try {
    await sql`insert into started default values`
    break
  } catch (error) {
    if (tries === 10) throw error
  }
startWorkers({
  queue: { databaseUrl: url },
  sql,
  log: pino({ level: 'silent' }),
  actors: { fire, react: async () => {} },
})
