import { emailTaken, lastOwner, operatorOnly, ownersOnly } from '../../errors.ts'
import { type Route, route } from '../../http/route.ts'
import { Paging } from '../../schema/paging.ts'
import { findAudit } from './audit.queries.ts'
import { AuditList, AuditQuery } from './audit.schema.ts'
import { createOwnKey, deleteOwnKey } from './keys.commands.ts'
import { listKeysShown } from './keys.queries.ts'
import { KeyCreated, KeyCreation, KeyList, KeyParams } from './keys.schema.ts'
import { getMe } from './me.queries.ts'
import { Me } from './me.schema.ts'
import { drainServiceNode, listServiceNodes } from './nodes.commands.ts'
import { NodeList, NodeParams, ServiceNode } from './nodes.schema.ts'
import { createPerson, deletePerson, endSessions, resetPassword, updatePerson } from './people.commands.ts'
import { getPerson, listPeople } from './people.queries.ts'
import { Person, PersonCreation, PersonList, PersonParams, PersonUpdate, PersonWithPassword } from './people.schema.ts'

const ofPerson = '/v1/people/{personId}'

/** Operations only for people who are signed in at the dashboard; no API key opens them. spec: Authentication 10 */
export const dashboardRoutes: readonly Route[] = [
  route({ method: 'get', path: '/v1/me', summary: 'Who is signed in', response: Me, handle: getMe }),
  route({
    method: 'get',
    path: '/v1/keys',
    summary: 'List API keys',
    query: Paging,
    response: KeyList,
    handle: (ctx, { query }) => listKeysShown(ctx, query),
  }),
  route({
    method: 'post',
    path: '/v1/keys',
    status: 201,
    summary: 'Create an API key, and see it once',
    body: KeyCreation,
    response: KeyCreated,
    handle: (ctx, { body }) => createOwnKey(ctx, body),
  }),
  route({
    method: 'delete',
    path: '/v1/keys/{keyId}',
    status: 204,
    summary: 'Delete an API key at once',
    params: KeyParams,
    handle: (ctx, { params }) => deleteOwnKey(ctx, params.keyId),
  }),
  route({
    method: 'get',
    path: '/v1/people',
    summary: 'List who may sign in',
    query: Paging,
    response: PersonList,
    handle: (ctx, { query }) => listPeople(ctx, query),
  }),
  route({
    method: 'post',
    path: '/v1/people',
    status: 201,
    summary: 'Let somebody sign in, with a password that is seen once',
    body: PersonCreation,
    response: PersonWithPassword,
    throws: [emailTaken, ownersOnly],
    handle: (ctx, { body }) => createPerson(ctx, body),
  }),
  route({
    method: 'get',
    path: ofPerson,
    summary: 'Read who may sign in',
    params: PersonParams,
    response: Person,
    handle: (ctx, { params }) => getPerson(ctx, params.personId),
  }),
  route({
    method: 'patch',
    path: ofPerson,
    summary: 'Change the role of somebody',
    params: PersonParams,
    body: PersonUpdate,
    response: Person,
    throws: [ownersOnly, lastOwner],
    handle: (ctx, { params, body }) => updatePerson(ctx, params.personId, body),
  }),
  route({
    method: 'delete',
    path: ofPerson,
    status: 204,
    summary: 'Let somebody sign in no more',
    params: PersonParams,
    throws: [ownersOnly, lastOwner],
    handle: (ctx, { params }) => deletePerson(ctx, params.personId),
  }),
  route({
    method: 'post',
    path: `${ofPerson}/password`,
    summary: 'Give somebody a new password that is seen once',
    params: PersonParams,
    response: PersonWithPassword,
    throws: [ownersOnly],
    handle: (ctx, { params }) => resetPassword(ctx, params.personId),
  }),
  route({
    method: 'delete',
    path: `${ofPerson}/sessions`,
    status: 204,
    summary: 'Sign somebody out everywhere',
    params: PersonParams,
    throws: [ownersOnly],
    handle: (ctx, { params }) => endSessions(ctx, params.personId),
  }),
  route({
    method: 'get',
    path: '/v1/audit',
    summary: 'Read who did what',
    query: AuditQuery,
    response: AuditList,
    handle: (ctx, { query }) => findAudit(ctx, query),
  }),
  route({
    method: 'get',
    path: '/v1/nodes',
    summary: 'List the nodes of the service, and the takeovers of the last day',
    response: NodeList,
    handle: (ctx) => listServiceNodes(ctx),
  }),
  route({
    method: 'put',
    path: '/v1/nodes/{nodeId}/drain',
    summary: 'Have a node give what it owns to the others',
    params: NodeParams,
    response: ServiceNode,
    throws: [operatorOnly],
    handle: (ctx, { params }) => drainServiceNode(ctx, params.nodeId, true),
  }),
  route({
    method: 'delete',
    path: '/v1/nodes/{nodeId}/drain',
    summary: 'Let a node have its share again',
    params: NodeParams,
    response: ServiceNode,
    throws: [operatorOnly],
    handle: (ctx, { params }) => drainServiceNode(ctx, params.nodeId, false),
  }),
]
