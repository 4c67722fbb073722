import type { Logger } from 'pino'
import type { ActorHost } from '../actors/host.ts'
import type { createCatalog } from '../catalog/catalog.ts'
import type { Media } from '../media/ports.ts'
import type { Desks } from '../realtime/desks.ts'
import type { Hub } from '../realtime/hub.ts'
import { createReread } from '../realtime/reread.ts'
import { findChannelCard } from '../store/channel-card.ts'
import type { Listener } from '../store/listen.ts'
import type { Store } from '../store/open.ts'
import { KEYS_CHANGED, settleKeys } from '../store/secrets/settle.ts'

type Hearing = {
  store: Store
  listener: Listener
  log: Logger
  isDraining(): boolean
  /** Rows came into the outbox. */
  outboxFilled(): void
  hub: Hub
  desks: Desks
  host: ActorHost
  catalog: Awaited<ReturnType<typeof createCatalog>>
  media: Media
}

/** Takes up notifications of the database: changes by the administration, or by another node. */
export async function hearNotifications({
  store,
  listener,
  log,
  isDraining,
  outboxFilled,
  hub,
  desks,
  host,
  catalog,
  media,
}: Hearing): Promise<void> {
  const { sql } = store.db
  const overlayChanged = createReread<number>({
    async read(id) {
      if (isDraining()) return
      const card = await findChannelCard(sql, id)
      if (card) {
        hub.changed(card)
        // sockets that come by its names are let in without a wait
        await catalog.overlay(id)
        return
      }
      host.forget(`overlay/${id}`)
      hub.removed(id)
    },
    failed: (id, error) => log.warn({ overlayId: id, err: error }, 'a changed overlay could not be read'),
  })
  const keysChanged = () => {
    settleKeys(sql, store.keys).catch((error) =>
      log.error({ err: error }, 'the key of the secrets was changed, and is not known here'),
    )
  }
  await listener.listen('overlay', (payload) => overlayChanged(JSON.parse(payload).id))
  await listener.listen('catalog', (payload) => {
    const changed = JSON.parse(payload)
    if ('room' in changed || 'theme' in changed) hub.followings.roomChanged(changed)
    if ('plan' in changed) hub.followings.rulesChanged(changed.plan)
  })
  await listener.listen('rundown', (payload) => hub.followings.rundownChanged(JSON.parse(payload).overlay))
  await listener.listen('match_desk', (payload) => void desks.changed(JSON.parse(payload).match))
  await listener.listen('stream_input', (payload) => media.changed(`input/${JSON.parse(payload).id}`))
  // a result leaves its reaction by a trigger, of which the commit that brought it knows nothing
  await listener.listen('standings', outboxFilled)
  // after the key store, which forgets the key first
  await listener.listen('api_key', () => hub.followings.keysChanged())
  await listener.listen(KEYS_CHANGED, keysChanged)
  // notifications while the connection was down are lost
  listener.onUp(() => {
    keysChanged()
    hub.overlays().forEach(overlayChanged)
    media.changed('everything/0')
    hub.followings.roomChanged()
    hub.followings.rulesChanged()
    hub.followings.keysChanged()
    void desks.changed()
    desks.missed()
  })
}
