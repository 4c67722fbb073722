import type { Notifications } from '../../src/catalog/catalog.ts'

/** The LISTEN connection, held in the hand. */
export function handHeldNotifications() {
  let message = (_: string) => {}
  let up = () => {}
  let down = () => {}
  const parts: Notifications = {
    listen: async (_, onMessage) => {
      message = onMessage
    },
    onUp: (run) => {
      up = run
    },
    onDown: (run) => {
      down = run
    },
    isUp: () => true,
  }
  return { parts, notify: (changed: object) => message(JSON.stringify(changed)), up: () => up(), down: () => down() }
}
