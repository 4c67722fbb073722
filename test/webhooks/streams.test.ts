import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type Studio, startStudio } from '../resources/streams-support.ts'
import { webhookReceiver } from '../support/webhook-receiver.ts'

let studio: Studio
beforeAll(async () => {
  studio = await startStudio({ OUTBOUND_PRIVATE: 'on' })
})
afterAll(() => studio?.production.close())

const at = '2027-03-01T18:00:00.000Z'

test('[issue 20.3] a stream, its destination and its input are told as their video comes and goes', async () => {
  const { production, see, post } = studio
  const receiver = await webhookReceiver()
  onTestFinished(() => receiver.close())
  const events = ['stream.state_changed', 'destination.status_changed', 'input.connected', 'input.lost']
  const { status, body } = await post('/v2/webhooks', { url: receiver.url, events })
  expect(status).toBe(201)
  receiver.trust(String(body.secret))
  const dataOf = (type: string) =>
    receiver.received
      .filter((one) => one.type === type)
      .map(({ data }) => data)
      .sort((one, other) => one.sequence - other.sequence)

  const { inputId, matchId } = production
  await see({ type: 'input.opened', inputId })
  await see({ type: 'input.connected', inputId, session: 's1', protocol: 'srt', at })
  await receiver.until(() => dataOf('input.connected').length === 1)
  expect(dataOf('input.connected')).toEqual([{ inputId, protocol: 'srt', sequence: 1 }])

  const streamSettingsId = await studio.stream()
  const destinationId = await studio.destination(streamSettingsId)
  await studio.run(streamSettingsId)
  expect((await post(`/v1/streams/${streamSettingsId}/go-live`, {})).status).toBe(200)
  await see({ type: 'destination.connected', destinationId, attempt: 1, at })
  await studio.end(streamSettingsId)
  const states = () => dataOf('stream.state_changed').map(({ state }) => state)
  await receiver.until(() => states().includes('stopped'))
  expect(states()).toEqual(['starting', 'running', 'stopping', 'stopped'])
  const statuses = () => dataOf('destination.status_changed').map((data) => data.status)
  await receiver.until(() => statuses().includes('stopped'))
  expect(statuses()).toEqual(['connecting', 'connected', 'stopped'])
  for (const data of dataOf('stream.state_changed'))
    expect(data).toMatchObject({ matchId, streamSettingsId, error: null })
  for (const data of dataOf('destination.status_changed'))
    expect(data).toMatchObject({ matchId, streamSettingsId, destinationId })
  // both are of one match, and counted together
  const sequences = [...dataOf('stream.state_changed'), ...dataOf('destination.status_changed')].map(
    ({ sequence }) => sequence,
  )
  expect(sequences.sort((one, other) => one - other)).toEqual([1, 2, 3, 4, 5, 6, 7])

  await see({ type: 'input.ended', inputId, session: 's1' })
  await receiver.until(() => dataOf('input.lost').length === 1)
  expect(dataOf('input.lost')).toEqual([{ inputId, sequence: 2 }])
  expect(receiver.faults).toEqual([])
})
