import { request } from '../ui/request.ts'
import type { Recorded } from './recorded.ts'

/** Throws Refusal; 404 when the replay is over. */
export const readRecord = () => request<Recorded>('GET', `${location.pathname.replace(/\/+$/, '')}/record`)
