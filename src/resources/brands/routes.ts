import { inUse, targetChanged } from '../../errors.ts'
import { type Route, route } from '../../http/route.ts'
import { Unchanged } from '../../schema/concurrency.ts'
import { LogoChoice, LogoUploadCreation } from '../teams/logo.schema.ts'
import { Upload } from '../uploads.ts'
import { brandLogo, createBrand, deleteBrand, updateBrand } from './commands.ts'
import { getBrand, listBrands } from './queries.ts'
import { Brand, BrandCreation, BrandFilter, BrandList, BrandParams, BrandUpdate } from './schema.ts'

const ONE = '/v2/brands/{brandId}'
const beta = true

export const brandRoutes: Route[] = [
  route({
    method: 'get',
    path: '/v2/brands',
    beta,
    summary: 'List brands',
    query: BrandFilter,
    response: BrandList,
    handle: (ctx, { query }) => listBrands(ctx, query),
  }),
  route({
    method: 'post',
    path: '/v2/brands',
    status: 201,
    beta,
    summary: 'Create a brand',
    body: BrandCreation,
    response: Brand,
    handle: (ctx, { body }) => createBrand(ctx, body),
  }),
  route({
    method: 'get',
    path: ONE,
    beta,
    summary: 'Read a brand',
    params: BrandParams,
    response: Brand,
    handle: (ctx, { params }) => getBrand(ctx, params.brandId),
  }),
  route({
    method: 'patch',
    path: ONE,
    beta,
    summary: 'Change a brand, also where it is on air',
    params: BrandParams,
    body: BrandUpdate,
    response: Brand,
    throws: [targetChanged],
    handle: (ctx, { params, body }) => updateBrand(ctx, params.brandId, body),
  }),
  route({
    method: 'delete',
    path: ONE,
    status: 204,
    beta,
    summary: 'Delete a brand that nothing uses',
    params: BrandParams,
    query: Unchanged,
    throws: [inUse, targetChanged],
    handle: (ctx, { params, query }) => deleteBrand(ctx, params.brandId, query.ifUnchangedSince),
  }),
  route({
    method: 'post',
    path: `${ONE}/logo/uploads`,
    status: 201,
    beta,
    summary: 'Open an upload for the logo of a brand',
    params: BrandParams,
    body: LogoUploadCreation,
    response: Upload,
    handle: (ctx, { params, body }) => brandLogo.open(ctx, params.brandId, body),
  }),
  route({
    method: 'put',
    path: `${ONE}/logo`,
    beta,
    summary: 'Set the logo of a brand from a completed upload',
    params: BrandParams,
    body: LogoChoice,
    response: Brand,
    handle: (ctx, { params, body }) => brandLogo.set(ctx, params.brandId, body),
  }),
  route({
    method: 'delete',
    path: `${ONE}/logo`,
    beta,
    summary: 'Remove the logo of a brand',
    params: BrandParams,
    response: Brand,
    handle: (ctx, { params }) => brandLogo.remove(ctx, params.brandId),
  }),
]
