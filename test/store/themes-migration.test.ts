import { expect, test } from 'vitest'
import { migrate } from '../../src/store/migrate.ts'
import { testDatabaseOfOneTest } from '../support/database.ts'
import { toSchemaBefore } from '../support/older-schema.ts'
import { testKeys } from '../support/secrets.ts'

test('0013 leaves each competition its first active default profile, and an archived one is none', async () => {
  const { sql, url } = await testDatabaseOfOneTest()
  await toSchemaBefore({ sql }, '0013')
  await sql`insert into organization (name) values ('League')`
  await sql`insert into competition (organization_id, name, sport) values (1, 'One', 'tennis'), (1, 'Two', 'tennis')`
  await sql`insert into theme (organization_id, name, sports) values (1, 'Theme', '{tennis}')`
  await sql`insert into control_room (organization_id, theme_id, name) values (1, 1, 'Room')`
  const profile = (competitionId: number, isDefault: boolean, archivedAt: string | null = null) => sql`
    insert into theme_profile (organization_id, competition_id, theme_id, name, default_control_room_id, is_default, archived_at)
    values (1, ${competitionId}, 1, 'Profile', 1, ${isDefault}, ${archivedAt})`
  await profile(1, true, '2027-01-01T00:00:00Z')
  await profile(1, false)
  await profile(1, true)
  await profile(1, true)
  await profile(2, true)
  await migrate(url, { keys: testKeys() })
  const rows = await sql<{ id: number }[]>`select id from theme_profile where is_default order by id`
  expect(rows.map(({ id }) => id)).toEqual([3, 5])
})
