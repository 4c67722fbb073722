import { targetChanged } from '../../errors.ts'
import { type Route, route } from '../../http/route.ts'
import { listSections } from './queries.ts'
import {
  RoomParams,
  SectionCreation,
  SectionDeletion,
  SectionList,
  SectionParams,
  SectionUpdate,
  SectionWritten,
} from './schema.ts'
import { reads, writes } from './scopes.ts'
import { createSection, deleteSection, updateSection } from './sections.commands.ts'

export const sectionRoutes: Route[] = [
  route({
    ...reads,
    path: '/v2/control-rooms/{roomId}/sections',
    summary: 'List the sections of a control room in order',
    params: RoomParams,
    response: SectionList,
    handle: (ctx, { params }) => listSections(ctx, params.roomId),
  }),
  route({
    ...writes,
    method: 'post',
    path: '/v2/control-rooms/{roomId}/sections',
    status: 201,
    summary: 'Add a section to a control room',
    params: RoomParams,
    body: SectionCreation,
    response: SectionWritten,
    throws: [targetChanged],
    handle: (ctx, { params, body }) => createSection(ctx, params.roomId, body),
  }),
  route({
    ...writes,
    method: 'patch',
    path: '/v2/control-rooms/{roomId}/sections/{sectionId}',
    summary: 'Change a section, or its place',
    params: SectionParams,
    body: SectionUpdate,
    response: SectionWritten,
    throws: [targetChanged],
    handle: (ctx, { params, body }) => updateSection(ctx, params, body),
  }),
  route({
    ...writes,
    method: 'delete',
    path: '/v2/control-rooms/{roomId}/sections/{sectionId}',
    status: 204,
    summary: 'Delete a section, with its presets when asked',
    params: SectionParams,
    query: SectionDeletion,
    throws: [targetChanged],
    handle: (ctx, { params, query }) => deleteSection(ctx, params, query),
  }),
]
