import { expect, onTestFinished, test } from 'vitest'
import { createCatalog } from '../../src/catalog/catalog.ts'
import { warmUp } from '../../src/elsewhere/warm-up.ts'
import { createLiveData } from '../../src/resources/matches/live-data.ts'
import { startProduction } from '../resources/support.ts'
import { handHeldNotifications } from '../support/notifications.ts'

/** What a node that starts has of the demo before it joins. */
async function starting() {
  const production = await startProduction()
  onTestFinished(() => production.close())
  const { sql } = production.server.database
  const { parts: notifications } = handHeldNotifications()
  const catalog = await createCatalog(sql, notifications)
  const publicUrl = () => production.server.origin
  const { live } = await createLiveData({ sql, catalog, notifications, log: { warn() {} }, publicUrl })
  const done: string[] = []
  const warm = (mine: (ref: string) => boolean) =>
    warmUp(
      {
        ...{ sql, catalog, live },
        open: async () => void done.push('open'),
        journal: { warm: async () => void done.push('journal') },
        read: async (kind, id) => void done.push(`${kind}/${id}`),
      },
      mine,
    )
  /** Whether a command would wait for the database. */
  const waits = async () => {
    const preset = production.preset('Score bug')
    const asked = [live(production.overlay.id, 0), catalog.preset(preset.id), catalog.members(production.matchId)]
    await Promise.all(asked)
    return asked.map((value) => value instanceof Promise)
  }
  return { production, warm, waits, done }
}

test('[cluster An added node] before a node joins it has read what the first commands of its share are decided by', async () => {
  const { production, warm, waits, done } = await starting()
  const { id } = production.overlay
  expect((await production.fire('show', 'Score bug')).status).toBe(200)
  await warm((ref) => ref === `overlay/${id}`)
  expect(done.toSorted()).toEqual([
    `game-plan/${id}`,
    'journal',
    `match/${production.matchId}`,
    'open',
    `overlay/${id}`,
  ])
  expect(await waits()).toEqual([false, false, false])
})

test('it reads nothing of overlays that others go on to own, or that nobody has commanded lately', async () => {
  const { production, warm, waits, done } = await starting()
  // no command yet
  await warm(() => true)
  expect(done.toSorted()).toEqual(['journal', 'open'])
  await production.fire('show', 'Score bug')
  await warm(() => false)
  expect(done.toSorted()).toEqual(['journal', 'journal', 'open', 'open'])
  expect(await waits()).toEqual([true, true, true])
})
