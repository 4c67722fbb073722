import { expect, test } from 'vitest'
import { testDatabaseOfOneTest } from '../support/database.ts'
import { allSlots, startMember } from '../support/member.ts'

const refused = /^NODE_URL: the node one is at (tls:\/\/)?node-1:8081, too: each node needs an address of its own\.$/

test('[issue 17] a second node at the address of one that lives is refused in one line, however that is written', async () => {
  const { url, sql } = await testDatabaseOfOneTest()
  const one = await startMember(url, { id: 'one', url: 'tls://node-1:8081' })
  await expect(startMember(url, { id: 'two', url: 'Node-1:8081/' })).rejects.toThrow(refused)
  expect(one.owned()).toEqual(allSlots)
  expect(await sql`select id from node`).toEqual([{ id: 'one' }])
  // it is the port that differs
  await startMember(url, { id: 'three', url: 'node-1:8082' })
})

test('a node that was killed or leaves keeps nobody from its address', async () => {
  const { url, sql } = await testDatabaseOfOneTest()
  const here = 'tls://node-1:8081'
  await sql`
    insert into node (id, url, version, knows, leaving_at) values
      ('killed', ${here}, '1.0.0', '0041_sign_in_limit.sql', null), ('leaves', ${here}, '1.0.0', '0041_sign_in_limit.sql', clock_timestamp())`
  const beats = setInterval(
    () => void sql`update node set beat_at = clock_timestamp() where id = 'leaves'`.execute(),
    50,
  )
  const next = await startMember(url, { id: 'next', url: here }).finally(() => clearInterval(beats))
  await expect.poll(() => next.owned()).toEqual(allSlots)
  expect(next.told.filter((text) => !text.startsWith('taken'))).toEqual([])
})

test('of two that came to one address at the same moment one leaves, and says why', async () => {
  const { url, sql } = await testDatabaseOfOneTest()
  const one = await startMember(url, { id: 'one', url: 'tls://node-2:8081' })
  const two = await startMember(url, { id: 'two', url: 'tls://node-1:8081' })
  await sql`update node set url = 'node-1:8081' where id = 'one'`
  await expect.poll(() => two.told.at(-1)).toMatch(refused)
  await expect.poll(() => one.owned()).toEqual(allSlots)
  expect(one.told.filter((text) => text.startsWith('NODE_URL'))).toEqual([])
  expect(await sql`select id from node`).toEqual([{ id: 'one' }])
})
