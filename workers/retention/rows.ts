import type { TransactionSql } from 'postgres'
import { deleteImports } from '../../src/resources/motion-graphics/imports.queries.ts'

const BATCH_ROWS = 10_000
/** Of an organization. A match that goes on has new ones all the time. */
const STILLS_OF_ONE = 5_000
/** Of up to 2,000 uploads each. */
const SESSIONS = 100
/** What webhooks were told, for redeliveries and replays. */
const WEBHOOK_DAYS = 30

export type Retention = {
  /** The journal, with the as-run log, proof of play and the audit of records. */
  journalDays: number
  /** Reports of renderers. */
  paintDays: number
  /** Graphics after their deletion. */
  deletedDays: number
  /** Files, and file sets, that nothing names any more. */
  fileDays: number
}

/** Deletes rows that go when their time is over, in batches: how many rows went, by kind. */
export async function pruneRows(tx: TransactionSql, { journalDays, paintDays }: Retention) {
  const { count: answers } = await tx`
    delete from idempotency where ctid = any(array(
      select ctid from idempotency where created_at < now() - interval '24 hours' limit ${BATCH_ROWS}))`
  const { count: uploads } = await tx`
    delete from upload where ctid = any(array(
      select ctid from upload
      where session_id is null and created_at < now() - interval '24 hours' limit ${BATCH_ROWS}))`
  // a session may have been renewed for days, and takes its uploads with it
  const { count: uploadSessions } = await tx`
    delete from upload_session where ctid = any(array(
      select ctid from upload_session where expires_at < now() - interval '24 hours' limit ${SESSIONS}))`
  const { count: previews } = await tx`
    delete from preview where ctid = any(array(
      select ctid from preview where expires_at < now() limit ${BATCH_ROWS}))`
  const { count: replays } = await tx`
    delete from replay where ctid = any(array(
      select ctid from replay where expires_at < now() limit ${BATCH_ROWS}))`
  const { count: signIns } = await tx`
    delete from person_session where ctid = any(array(
      select ctid from person_session where expires_at < now() limit ${BATCH_ROWS}))`
  const { count: paints } = await tx`
    delete from paint where ctid = any(array(
      select ctid from paint where reported_at < now() - make_interval(days => ${paintDays}) limit ${BATCH_ROWS}))`
  const { count: connections } = await tx`
    delete from renderer_session where ctid = any(array(
      select s.ctid from renderer_session s left join server_run r on r.id = s.run_id
      where s.opened_at < now() - make_interval(days => ${paintDays})
        -- what a crash left open ended when its server was last alive
        and coalesce(s.closed_at, r.alive_at, s.opened_at) < now() - make_interval(days => ${paintDays})
      limit ${BATCH_ROWS}))`
  await tx`
    delete from server_run r where alive_at < now() - make_interval(days => ${paintDays})
      and not exists (select from renderer_session s where s.run_id = r.id)`
  const { count: webhookEvents } = await tx`
    delete from webhook_event where place = any(array(
      select place from webhook_event where at < now() - make_interval(days => ${WEBHOOK_DAYS}) limit ${BATCH_ROWS}))`
  // those of organizations without webhooks are looked at by nobody
  await tx`delete from webhook_paint_check where due_at < now() - interval '1 day'`
  await tx`
    delete from webhook_position where ctid = any(array(
      select p.ctid from webhook_position p where not exists (select from actor a where a.ref = p.ref) limit ${BATCH_ROWS}))`
  const { count: stills } = await tx`
    delete from still where ctid = any(array(
      select ctid from still where used_at < now() - interval '3 days'
      union all
      (select ctid from (
        select ctid, row_number() over (partition by organization_id order by used_at desc) as nth from still
      ) each where nth > ${STILLS_OF_ONE})
      limit ${BATCH_ROWS}))`
  const { count: overlays } = await tx`
    delete from removed_overlay where removed_at < now() - make_interval(days => ${journalDays})`
  await deleteImports(
    tx,
    tx`job_id in (
    select job_id from motion_import where expires_at < now() - interval '24 hours' limit ${SESSIONS})`,
  )
  return {
    answers,
    uploads,
    uploadSessions,
    previews,
    replays,
    signIns,
    paints,
    connections,
    stills,
    overlays,
    webhookEvents,
  }
}

/**
 * Deletes rows that nothing names any more. Graphics that were deleted go when no version of a theme pins them, no preset names
 * them and they are not on air; file sets when no working copy, version or uploaded original is served by them.
 */
export async function pruneUnused(tx: TransactionSql, { deletedDays, fileDays }: Retention) {
  const deleted = await tx<{ id: string }[]>`
    delete from graphic g
    where deleted_at < now() - make_interval(days => ${deletedDays})
      and not exists (select from theme_version_graphic where graphic_id = g.id)
      and not exists (select from preset where graphic_id = g.id)
      and not exists (select from actor where starts_with(ref, 'overlay/') and strpos(snapshot::text, g.id) > 0)
    returning id`
  const locks = deleted.map(({ id }) => `graphic-lock/${id}`)
  await tx`delete from timer where ref = any(${locks})`
  await tx`delete from actor where ref = any(${locks})`
  const { count: bundles } = await tx`
    delete from bundle b where hash = any(array(
      select hash from bundle old
      where stored_at < now() - make_interval(days => ${fileDays})
        and not exists (select from graphic_draft where bundle_hash = old.hash)
        and not exists (select from graphic_version where bundle_hash = old.hash)
        -- the original of a motion file is served by a set of its own, which only its name tells
        and not (starts_with(old.entry, 'original.') and exists (
          select from (select motion from graphic_draft union all select motion from graphic_version) kept
          where strpos(motion::text, old.files -> 0 ->> 'blob') > 0))
      limit ${BATCH_ROWS}))
      -- again, since it may have been stored anew meanwhile
      and stored_at < now() - make_interval(days => ${fileDays})`
  const { count: generated } = await tx`
    delete from generated_file f
    where stored_at < now() - make_interval(days => ${fileDays})
      and not exists (select from bundle where strpos(files::text, f.hash) > 0)
      and not exists (select from graphic_draft where strpos(assets::text, f.hash) > 0)`
  return { graphics: deleted.length, bundles, generated }
}
