/** What carries texts between the nodes of a service: the bus of `src/nodes/`. */
export type Wire = {
  publish(topic: string, text: string): void
  subscribe(topic: string, onText: (text: string) => void): () => void
}

/** The wire, and what texts of this node are told apart by. */
export type Sharing = { node: string; wire: Wire }

const TOPIC = 'limits'
/** What a key spent slowly is told so often. */
const GATHERED_MS = 50

/** An id, and what was spent of its rate and of its reserve. */
type Spent = [id: string, ofRate: number, ofReserve: number]

/**
 * Tells other nodes what was spent here, and hears what was spent there. Once `promptAt` was spent of one id it is told at once: a
 * burst that comes by all nodes is over before any timer. What the wire loses is lost: it is never told late, as spent now.
 */
export function shareSpending(
  { node, wire }: Sharing,
  promptAt: number,
  heard: (id: string, ofRate: number, ofReserve: number) => void,
): (id: string, ofRate: number, ofReserve: number) => void {
  const gathered = new Map<string, Spent>()
  let isTimed = false
  const tell = (spent: readonly Spent[]) => wire.publish(TOPIC, JSON.stringify([node, spent]))
  const tellAll = () => {
    isTimed = false
    if (gathered.size > 0) tell([...gathered.values()])
    gathered.clear()
  }
  wire.subscribe(TOPIC, (text) => {
    const [from, spent]: [string, Spent[]] = JSON.parse(text)
    if (from !== node) for (const one of spent) heard(...one)
  })

  return (id, ofRate, ofReserve) => {
    const spent = gathered.get(id) ?? [id, 0, 0]
    spent[1] += ofRate
    spent[2] += ofReserve
    if (spent[1] + spent[2] >= promptAt) {
      gathered.delete(id)
      tell([spent])
      return
    }
    gathered.set(id, spent)
    if (isTimed) return
    isTimed = true
    setTimeout(tellAll, GATHERED_MS).unref()
  }
}
