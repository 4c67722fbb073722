import { describe, expect, test } from 'vitest'
import { callOf, readGraphicAnswer, toldOf } from '../../src/pages/overlay/protocol.ts'

describe('[OGraf Server API] what the overlay page tells of how a call ended', () => {
  const answer = readGraphicAnswer({ type: 'ANSWER', payload: { call: 'c1', statusCode: 200, currentStep: 2 } })
  const told = (call: object | undefined) => answer && toldOf(answer, callOf({ call })?.isPlay === true)

  test('is the step of a play', () => {
    expect(told({ id: 'c1', delta: 1 })).toEqual({ call: 'c1', statusCode: 200, currentStep: 2 })
    expect(told({ id: 'c1', goto: 0 })).toEqual({ call: 'c1', statusCode: 200, currentStep: 2 })
  })

  test('[cluster 9] is no step to a server that did not say how far, which would refuse it', () => {
    expect(told({ id: 'c1', skipAnimation: true })).toEqual({ call: 'c1', statusCode: 200 })
    expect([callOf({ call: undefined }), callOf({ call: { id: 7 } })]).toEqual([undefined, undefined])
  })
})
