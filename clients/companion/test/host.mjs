// Stands in for Companion: constructs the built module by its host interface, and does over stdin and stdout what a test asks for, a line each.
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'

const say = (message) => process.stdout.write(`${JSON.stringify(message)}\n`)
globalThis.COMPANION_LOGGER = (_source, level, message) => say({ type: 'log', level, message })

const { default: Module } = await import(pathToFileURL(process.argv[2]).href)

const definitions = { actions: {}, feedbacks: {}, presets: {}, sections: [], variables: {} }
/** Buttons that somebody has placed: feedbacks of which the host asks for the value whenever the module says so. */
let placed = []
const lamps = new Map()
const values = {}

async function look(types) {
  for (const { id, feedbackId, options } of placed) {
    if (types && !types.includes(feedbackId)) continue
    const value = await definitions.feedbacks[feedbackId].callback(
      { id, controlId: id, feedbackId, options, previousOptions: null },
      {},
    )
    const told = JSON.stringify(value)
    if (lamps.get(id) === told) continue
    lamps.set(id, told)
    say({ type: 'lamp', id, value, at: Date.now() })
  }
}

const instance = new Module({
  _isInstanceContext: true,
  id: 'test',
  label: 'tally',
  upgradeScripts: [],
  sharedUdpSocketHandlers: new Map(),
  saveConfig() {},
  updateStatus: (status, message) => say({ type: 'status', status, message }),
  setActionDefinitions: (actions) => Object.assign(definitions, { actions }),
  setFeedbackDefinitions: (feedbacks) => Object.assign(definitions, { feedbacks }),
  setPresetDefinitions(sections, presets) {
    Object.assign(definitions, { sections, presets })
    say({ type: 'presets', sections, presets })
  },
  setVariableDefinitions: (variables) => Object.assign(definitions, { variables }),
  setVariableValues(changed) {
    Object.assign(values, changed)
    say({ type: 'values', values })
  },
  getVariableValue: (name) => values[name],
  checkFeedbacks: (types) => void look(types),
  checkAllFeedbacks: () => void look(),
  checkFeedbacksById() {},
  subscribeActions() {},
  unsubscribeActions() {},
  unsubscribeFeedbacks() {},
  recordAction() {},
  oscSend() {},
})

const does = {
  init: ({ config, secrets }) => instance.init(config, true, secrets),
  configure: ({ config, secrets }) => instance.configUpdated(config, secrets),
  place({ buttons }) {
    placed = buttons
    lamps.clear()
    return look()
  },
  async press({ actionId, options }) {
    await definitions.actions[actionId].callback(
      { id: 'a', controlId: 'b', actionId, options, surfaceId: undefined },
      { type: 'action' },
    )
  },
  fields: () => instance.getConfigFields(),
  actions: () => Object.keys(definitions.actions),
  async destroy() {
    await instance.destroy()
    setTimeout(() => process.exit(0), 50)
  },
}

for await (const line of createInterface({ input: process.stdin })) {
  const { number, what, ...asked } = JSON.parse(line)
  Promise.resolve()
    .then(() => does[what](asked))
    .then(
      (answer) => say({ type: 'answer', number, answer }),
      (error) => say({ type: 'answer', number, error: String(error?.message ?? error) }),
    )
}
