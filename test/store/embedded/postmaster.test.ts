import { expect, test } from 'vitest'
import { names } from '../../../src/store/embedded/postmaster.ts'

test('a postmaster is known by its folder, however the system tells its arguments', () => {
  expect(names('\0/bin/postgres\0-D\0/home/a b/data/postgres\0-p\x005432\0', '/home/a b/data/postgres')).toBe(true)
  expect(names(' /bin/postgres -D /home/a b/data/postgres -p 5432 ', '/home/a b/data/postgres')).toBe(true)
  expect(names(' /bin/postgres -D /home/a b/data/postgres -p 5432 ', '/home/a b/data')).toBe(false)
  expect(names('\0/bin/postgres\0-D\0/srv/data/postgres2\0', '/srv/data/postgres')).toBe(false)
})
