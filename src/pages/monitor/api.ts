import type { z } from 'zod'
import type {
  MonitoredAsRun,
  MonitoredObs,
  MonitoredRoom,
  MonitoredStreams,
} from '../../resources/monitor-page/schema.ts'

/** Answers to the requests of the page, which only reads. */
export type Room = z.output<typeof MonitoredRoom>
export type Stream = z.output<typeof MonitoredStreams>['streams'][number]
export type Obs = z.output<typeof MonitoredObs>
export type AsRunRow = z.output<typeof MonitoredAsRun>['asRun'][number]

/** The address of the page without a slash at its end: its requests go below. */
export const pageAddress = () => location.pathname.replace(/\/+$/, '')

export const doorOf = (path: 'room' | 'streams' | 'as-run' | 'obs') => `${pageAddress()}/rest/${path}`
