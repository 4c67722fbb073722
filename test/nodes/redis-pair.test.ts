import { expect, onTestFinished, test } from 'vitest'
import { connectPair, type Pair } from '../../src/nodes/redis-pair.ts'
import { redisIsInstalled, startRedis } from '../support/redis.ts'

test.runIf(redisIsInstalled)(
  '[cluster Redis dies] no topic can come between the last look at them and the moment when it is told of each that comes',
  async () => {
    const redis = await startRedis()
    onTestFinished(() => redis.stop())
    let pair: Pair | undefined
    const between: string[] = []
    let looks = 0
    await connectPair(redis.url, {
      topics() {
        const look = ++looks
        // as soon as anything else can run
        queueMicrotask(() => {
          if (look > 1 && !pair) between.push(`after look ${look}`)
        })
        return ['a']
      },
      onText: () => {},
      onUp(up) {
        pair = up
      },
      onLost: () => {},
      isWanted: () => true,
    })
    await pair?.leave(100)
    expect(looks).toBe(2)
    expect(between).toEqual([])
  },
)
