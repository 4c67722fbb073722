import { expect, test } from 'vitest'
import { NotMine } from '../../src/errors.ts'
import { atOwner } from '../../src/nodes/at-owner.ts'
import { LinkLost, LinkRefused, LinkTimeout } from '../../src/nodes/links/errors.ts'

const other = { id: 'other', url: '127.0.0.1:1' }

/** A slot of another node that becomes ours once that node was asked; `asked` throws what the other node makes of it. */
async function moves(error: Error) {
  let isOurs = false
  let refreshes = 0
  const owners = {
    owns: () => isOurs,
    ownerOf: () => other,
    refresh: () => {
      refreshes++
      isOurs = true
    },
  }
  const done = await atOwner(owners, 'overlay/1', {
    here: async (mayBeDone) => ({ mayBeDone }),
    there: () => Promise.reject(error),
  })
  return { ...done, refreshes }
}

test.each([
  ['it is not its own', new NotMine('overlay/1'), false],
  ['it is not its own, and was on its way', new NotMine('overlay/1', true), true],
  ['the link was lost before', new LinkLost('gone', false), false],
  ['the link was lost meanwhile', new LinkLost('gone', true), true],
  ['it is about to end', new LinkRefused('closing', 'about to end'), false],
  ['it has too much to do', new LinkRefused('busy', 'too much'), false],
])('the next owner is asked when %s', async (_why, error, mayBeDone) => {
  expect(await moves(error)).toEqual({ mayBeDone, refreshes: 1 })
})

test('nobody else is asked while it may still be done', async () => {
  await expect(moves(new LinkTimeout('late'))).rejects.toMatchObject({ status: 503 })
})

test('what fails there fails', async () => {
  await expect(moves(new LinkRefused('TypeError', 'a fault there'))).rejects.toThrow('a fault there')
})
