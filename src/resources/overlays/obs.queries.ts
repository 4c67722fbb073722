import type { ISql } from 'postgres'

type JobRow = {
  kind: 'job'
  payload: { name: 'obs-refresh'; data: { overlayId: number; now: boolean }; attempts: number }
}

/** An OBS that is away is looked for a few more times, in the seconds after. */
const ATTEMPTS = 5

/** The outbox row that has an overlay's OBS refresh its sources; `now`: also while something is on air. */
export const obsRefreshOf = (overlayId: number, now: boolean): JobRow => ({
  kind: 'job',
  payload: { name: 'obs-refresh', data: { overlayId, now }, attempts: ATTEMPTS },
})

/** Those of all overlays that show a theme and have an OBS: another of its versions is active. */
export async function obsRefreshesOf(sql: ISql, themeId: number): Promise<JobRow[]> {
  const rows = await sql<{ id: number }[]>`
    select o.id from overlay o
    left join control_room r on r.id = o.control_room_id
    left join theme_profile p on p.id = o.theme_profile_id
    where o.obs_url is not null and coalesce(r.theme_id, p.theme_id) = ${themeId} order by o.id`
  return rows.map(({ id }) => obsRefreshOf(id, false))
}
