import type { ServiceNode } from '../shapes.ts'

/** People know machines; an id is another one after each start. */
export const hostOf = ({ url }: Pick<ServiceNode, 'url'>) => url.replace(/^tls:\/\//, '')
