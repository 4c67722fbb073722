import type { Sql, TransactionSql } from 'postgres'

/**
 * Makes `sql.begin` safe against the loss of its connection: the driver rejects the transaction but still runs the
 * statements of its function afterwards, on the next connection and outside of any transaction. Here that throws.
 */
export function fenceTransactions<S extends Begins>(sql: S): S {
  const begin = sql.begin.bind(sql)
  const fenced = (...given: [string, Run] | [Run]) => {
    const run = given[given.length - 1]
    const options = given.length === 2 ? given[0] : ''
    if (typeof run !== 'function') throw new TypeError('a transaction needs a function')
    let over = false
    const done = begin(options, (tx) => run(fence(tx, () => over)))
    const end = () => {
      over = true
    }
    done.then(end, end)
    return done
  }
  return Object.assign(sql, { begin: fenced })
}

/**
 * Makes `sql.reserve` answer also when no connection is open: without `fetch_types` the driver forgets a reservation that it opens a
 * connection for. One that a statement has just opened is there when that is answered.
 */
export function openBeforeReserve<S extends Pick<Sql, 'unsafe'> & { reserve(): Promise<unknown> }>(sql: S): S {
  const reserve = sql.reserve.bind(sql)
  return Object.assign(sql, {
    async reserve() {
      await sql.unsafe('select')
      return reserve()
    },
  })
}

type Run = (tx: TransactionSql) => unknown
type Begins = { begin(options: string, run: Run): Promise<unknown> } & Pick<Sql, 'unsafe'>

const lost = () =>
  Object.assign(new Error('the connection of this transaction was lost'), { code: 'CONNECTION_CLOSED' })

function fence(tx: TransactionSql, over: () => boolean): TransactionSql {
  return new Proxy(tx, {
    apply(target, self, args) {
      if (over()) throw lost()
      return Reflect.apply(target, self, args)
    },
    get(target, name) {
      const value: unknown = Reflect.get(target, name)
      if (typeof value === 'function' && over()) throw lost()
      return value
    },
  })
}
