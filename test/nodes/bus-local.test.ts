import { createLocalWire } from '../../src/nodes/bus-local.ts'
import { busContract } from '../contract/bus.ts'

const wires = new Map<string, ReturnType<typeof createLocalWire>>()

busContract('one process', {
  open(service = '') {
    const wire = wires.get(service) ?? createLocalWire()
    wires.set(service, wire)
    return wire.open()
  },
})
