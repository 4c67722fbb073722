import { expect, test } from 'vitest'
import type { Context } from '../../src/context.ts'
import { answerErrands } from '../../src/elsewhere/to-owner.ts'
import { ApiError, unexpected } from '../../src/errors.ts'
import type { JoinedNode } from '../../src/nodes/joined.ts'
import { clearPlan } from '../../src/resources/game-plans/clear.ts'

test('[cluster] an errand that only a newer version knows is answered with 503, to be tried again', async () => {
  let answer: (head: unknown) => Promise<unknown> = () => Promise.reject(new Error('nobody answers'))
  const node = {
    answer: (_: string, handler: typeof answer) => {
      answer = handler
    },
  } as unknown as JoinedNode
  answerErrands(node, () => {
    throw new Error('nothing is run')
  })
  const refused = await answer({ name: 'somethingOfTomorrow', args: {}, scopes: [] }).catch((error: unknown) => error)
  expect(refused).toBeInstanceOf(ApiError)
  expect(refused).toMatchObject({ status: 503, headers: { 'Retry-After': '1' } })
})

test('[issue 18.4] hideAll is done where the plan is at a node of the release before game plans, and fails where it could not pause', async () => {
  const at = (error: ApiError) => ({ atOwner: () => Promise.reject(error) }) as unknown as Context
  await expect(clearPlan(at(unexpected()), 1)).resolves.toBeUndefined()
  const lost = new ApiError('unavailable', 503, { message: 'Temporarily unavailable, try again' })
  await expect(clearPlan(at(lost), 1)).rejects.toBe(lost)
})
