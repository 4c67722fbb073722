import type { Sql } from 'postgres'
import type { Stills } from '../context.ts'
import type { Blobs } from './blobs.ts'

/** That a picture was looked at is noted so often. */
const NOTED_EACH_HOURS = 1

/** The pictures of presets that were made, on any node. show-control: Pictures */
export function createStillShelf(sql: Sql, blobs: Blobs): Pick<Stills, 'find' | 'keep'> {
  return {
    // its file may have been swept: then it is made anew
    async find(key) {
      const [row] = await sql<{ blob: string; isOld: boolean }[]>`
        select blob, used_at < now() - make_interval(hours => ${NOTED_EACH_HOURS}) as "isOld" from still where key = ${key}`
      if (!row) return undefined
      if (row.isOld) await sql`update still set used_at = now() where key = ${key}`
      return blobs.read(row.blob)
    },
    async keep(organizationId, key, png) {
      const { hash } = await blobs.put(png)
      await sql`
        insert into still (key, organization_id, blob) values (${key}, ${organizationId}, ${hash})
        on conflict (key) do update set blob = excluded.blob, used_at = now()`
    },
  }
}
