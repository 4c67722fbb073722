import { workersContract } from '../contract/workers.ts'

workersContract('workers on the queue in PostgreSQL', () => ({
  connection: ({ url }) => ({ databaseUrl: url }),
  wipe: async ({ sql }) => {
    await sql`truncate bullmq.job cascade`
  },
}))
