import { type Route, route } from '../../http/route.ts'
import { createInput, deleteInput, rotateKey, updateInput } from './inputs.commands.ts'
import { getInput, listInputs } from './inputs.queries.ts'
import {
  StreamInput,
  StreamInputCreation,
  StreamInputFilter,
  StreamInputList,
  StreamInputParams,
  StreamInputUpdate,
} from './inputs.schema.ts'

export const streamInputRoutes: Route[] = [
  route({
    method: 'get',
    path: '/v1/streams/inputs',
    summary: 'List stream inputs',
    query: StreamInputFilter,
    response: StreamInputList,
    handle: (ctx, { query }) => listInputs(ctx, query),
  }),
  route({
    method: 'post',
    path: '/v1/streams/inputs',
    status: 201,
    summary: 'Create a stream input',
    body: StreamInputCreation,
    response: StreamInput,
    handle: (ctx, { body }) => createInput(ctx, body),
  }),
  route({
    method: 'get',
    path: '/v1/streams/inputs/{inputId}',
    summary: 'Read a stream input with its ingest URLs',
    params: StreamInputParams,
    response: StreamInput,
    handle: (ctx, { params }) => getInput(ctx, params.inputId),
  }),
  ...(['patch', 'post'] as const).map((method) =>
    route({
      method,
      path: '/v1/streams/inputs/{inputId}',
      summary: 'Change a stream input',
      params: StreamInputParams,
      body: StreamInputUpdate,
      response: StreamInput,
      handle: (ctx, { params, body }) => updateInput(ctx, params.inputId, body),
    }),
  ),
  route({
    method: 'post',
    path: '/v1/streams/inputs/{inputId}/key',
    summary: 'Give a stream input another key, which drops whoever sends with the old one',
    params: StreamInputParams,
    response: StreamInput,
    handle: (ctx, { params }) => rotateKey(ctx, params.inputId),
  }),
  route({
    method: 'delete',
    path: '/v1/streams/inputs/{inputId}',
    status: 204,
    summary: 'Delete a stream input that no running stream uses',
    params: StreamInputParams,
    handle: (ctx, { params }) => deleteInput(ctx, params.inputId),
  }),
]
