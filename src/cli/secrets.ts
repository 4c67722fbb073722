import { rotateKeys } from '../store/secrets/rotate.ts'
import { UsageError } from './arguments.ts'
import type { Command } from './commands.ts'
import { resetSecrets } from './reset-secrets.ts'

export const secretsCommands: readonly Command[] = [
  {
    name: 'secrets rotate',
    usage: '[--forget-old]',
    options: { 'forget-old': 'switch' },
    run: (db, values, { store }) => rotateKeys(db.sql, store.keys, { forgetOld: values['forget-old'] === true }),
  },
  {
    name: 'secrets reset',
    usage: '--yes (when the key is lost: new stream keys and links, and what others gave is empty)',
    options: { yes: 'switch' },
    run(db, values, { store }) {
      if (values.yes !== true) throw new UsageError('--yes is missing: stream keys and links become others, for good')
      return resetSecrets(db, store.keys)
    },
  },
  {
    name: 'secrets list',
    usage: '(the keys of the secrets by their fingerprints, and where they are)',
    options: {},
    async run(db, _values, { store }) {
      const { ring, from } = store.keys
      const used = await db.sql<{ id: string; current: boolean; madeAt: Date }[]>`
        select id, current, made_at as "madeAt" from secrets_key order by current desc, made_at`
      const retired = ring.ids.filter((id) => !used.some((key) => key.id === id))
      return {
        from,
        keys: [
          ...used.map(({ id, current, madeAt }) => ({
            id,
            state: current ? 'current' : 'older',
            here: ring.key(id) !== undefined,
            since: madeAt.toISOString(),
          })),
          ...retired.map((id) => ({ id, state: 'retired', here: true })),
        ],
      }
    },
  },
]
