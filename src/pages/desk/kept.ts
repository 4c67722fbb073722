import { inMemory, type Kept, type Memory } from './kept-in-memory.ts'
import type { Press } from './press.ts'

const PRESSES = 'presses'
const MEMORY = 'memory'

/** What is kept on this telephone for one desk. Where IndexedDB is not to be had, it is kept as long as the page is open. */
export async function openKept(name: string): Promise<Kept> {
  try {
    const db = await opened(name)
    // the browser is asked not to throw it away when it runs short; it may say no
    void navigator.storage?.persist?.().catch(() => false)
    return inDatabase(db)
  } catch {
    return inMemory()
  }
}

const opened = (name: string) =>
  new Promise<IDBDatabase>((resolve, reject) => {
    const asking = indexedDB.open(name, 1)
    asking.onupgradeneeded = () => {
      asking.result.createObjectStore(PRESSES, { keyPath: 'id' })
      asking.result.createObjectStore(MEMORY)
    }
    asking.onsuccess = () => resolve(asking.result)
    asking.onerror = () => reject(asking.error)
  })

function inDatabase(db: IDBDatabase): Kept {
  /** Resolves when the transaction is on disk, which is later than when its requests have succeeded. */
  const run = <T>(store: string, mode: IDBTransactionMode, work: (store: IDBObjectStore) => IDBRequest<T>) =>
    new Promise<T>((resolve, reject) => {
      const transaction = db.transaction(store, mode, mode === 'readwrite' ? { durability: 'strict' } : {})
      const request = work(transaction.objectStore(store))
      transaction.oncomplete = () => resolve(request.result)
      transaction.onabort = () => reject(transaction.error)
    })
  return {
    durable: true,
    presses: {
      async all() {
        const presses = await run<Press[]>(PRESSES, 'readonly', (store) => store.getAll())
        return presses.sort((one, other) => one.order - other.order)
      },
      async put(press) {
        await run(PRESSES, 'readwrite', (store) => store.put(press))
      },
      async remove(id) {
        await run(PRESSES, 'readwrite', (store) => store.delete(id))
      },
    },
    memory: {
      read: async () => (await run<Memory | undefined>(MEMORY, 'readonly', (store) => store.get('desk'))) ?? {},
      async write(memory) {
        await run(MEMORY, 'readwrite', (store) => store.put(memory, 'desk'))
      },
    },
  }
}
