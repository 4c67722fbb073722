import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { sendBytes } from '../../src/pages/dashboard/send-bytes.ts'

const address = { url: 'http://tally.example/rest/v1/uploads/token?a=1', headers: { 'content-type': 'image/png' } }
let answers: (number | undefined)[]
const asked: string[] = []

beforeEach(() => {
  asked.length = 0
  vi.useFakeTimers()
  vi.stubGlobal('fetch', async (url: string, { body }: { body: Uint8Array }) => {
    asked.push(`${url} ${String(body)}`)
    const status = answers.shift()
    if (status === undefined) throw new TypeError('Failed to fetch')
    return new Response(null, { status })
  })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const send = async () => {
  const sent = sendBytes(address, new Uint8Array([1, 2]), 'Could not be sent').then(
    () => 'sent',
    ({ status, message }) => [status, message],
  )
  await vi.runAllTimersAsync()
  return sent
}

test.each([
  ['at once', [200], 'sent'],
  ['after a server that had no time', [503, 200], 'sent'],
  ['after a line that was away', [undefined, 200], 'sent'],
  ['that had arrived when the answer was lost', [503, 409], 'sent'],
  ['that are not what was told', [400], [400, 'Could not be sent']],
  ['of an upload that has expired', [503, 410], [410, 'Could not be sent']],
  ['to nobody', [undefined, undefined, undefined, undefined], [0, 'The server cannot be reached']],
  ['to a server that never has time', [503, 503, 503, 503], [503, 'Could not be sent']],
])('bytes are sent %s', async (_, told, expected) => {
  answers = [...told]
  expect(await send()).toEqual(expected)
  expect(answers).toEqual([])
  // by the host that the page is of
  expect(new Set(asked)).toEqual(new Set(['/rest/v1/uploads/token?a=1 1,2']))
})
