import { z } from 'zod'
import { Timestamp } from '../../schema/fields.ts'

/**
 * The words of the OGraf Server API, draft of 2026-02. What it does not know of a body is left alone, but for filters: one that is misspelt
 * would mean everything. integrations: OGraf Server API
 */

const GraphicId = z.string().min(1).meta({ description: 'The `id` of its manifest' })
const InstanceId = z.string().min(1).max(300)

/** An overlay has one render target, its picture. Also its name alone, or an object without members, means it. */
export const PICTURE = { target: 'picture' } as const

const RenderTarget = z
  .union([z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])), z.string()])
  .meta({ id: 'RenderTargetIdentifier', description: 'The picture: `{"target": "picture"}`; others answer 404' })

const Author = z
  .object({ name: z.string(), email: z.string().optional(), url: z.string().optional() })
  .meta({ id: 'Author' })

export const ServerInfo = z
  .object({ name: z.string(), description: z.string(), author: Author, version: z.string() })
  .meta({ id: 'ServerInfo' })

const GraphicListInfo = z
  .object({ id: GraphicId, name: z.string(), description: z.string().optional() })
  .meta({ id: 'GraphicListInfo' })

export const GraphicList = z.object({ graphics: z.array(GraphicListInfo) }).meta({ id: 'OgrafGraphicList' })

const Manifest = z.record(z.string(), z.unknown()).meta({ description: 'The OGraf manifest as it was imported' })

/** The draft names the manifest in two ways. */
export const GraphicInfo = z
  .object({
    graphic: Manifest,
    manifest: Manifest,
    metadata: z
      .object({ createdAt: Timestamp, createdBy: Author.optional(), updatedAt: Timestamp })
      .meta({ id: 'GraphicMetadata' }),
  })
  .meta({ id: 'OgrafGraphicInfo' })

export const Removed = z.object({}).meta({ id: 'OgrafRemoved' })

const Renderer = z
  .object({ id: z.string().meta({ description: 'The id of the overlay' }), name: z.string(), description: z.string() })
  .meta({ id: 'RendererListInfo' })

export const RendererList = z.object({ renderers: z.array(Renderer) }).meta({ id: 'RendererList' })

export const RenderTargetInfo = z
  .object({
    renderTarget: z.record(z.string(), z.string()),
    name: z.string(),
    description: z.string(),
    graphicInstances: z.array(
      z
        .object({
          graphicInstanceId: InstanceId,
          graphic: GraphicListInfo,
          status: z.enum(['loaded', 'playing']).meta({ description: 'Beyond the draft: whether it is on air' }),
          currentStep: z.int().optional().meta({ description: 'Beyond the draft: of one on air that has steps' }),
        })
        .meta({ id: 'GraphicInstance' }),
    ),
  })
  .meta({ id: 'RenderTargetInfo' })

export const RendererInfo = z
  .object({
    renderer: z.object({
      ...Renderer.shape,
      customActions: z.array(z.object({ id: z.string(), name: z.string(), description: z.string() })),
      renderCharacteristics: z.object({ resolution: z.object({ width: z.number(), height: z.number() }) }),
      renderTargetSchema: z.record(z.string(), z.unknown()),
      status: z.object({ status: z.enum(['OK', 'WARNING', 'ERROR']), message: z.string() }),
      renderTargets: z.array(RenderTargetInfo),
    }),
  })
  .meta({ id: 'RendererInfo' })

export const GraphicParams = z.object({ graphicId: GraphicId }).meta({ id: 'OgrafServerGraphicParams' })
export const GraphicRemoval = z
  .object({
    force: z
      .boolean()
      .optional()
      .meta({ description: 'Also takes it off air and out of every overlay; else what is loaded or on air stays' }),
  })
  .meta({ id: 'OgrafGraphicRemoval' })
export const RendererParams = z.object({ rendererId: z.string() }).meta({ id: 'RendererParams' })
export const RendererActionParams = RendererParams.extend({ customActionId: z.string() }).meta({
  id: 'RendererActionParams',
})
export const TargetQuery = z
  .object({ renderTarget: z.string().meta({ description: 'The render target as JSON' }) })
  .meta({ id: 'RenderTargetQuery' })

const skipAnimation = z.boolean().optional().meta({ description: 'Straight to the end of its animation' })
const Data = z
  .record(z.string(), z.unknown())
  .optional()
  .meta({ description: 'Values by the properties of the manifest’s `schema`; left out of a load: the defaults' })

export const Load = z
  .object({
    renderTarget: RenderTarget,
    graphicId: GraphicId,
    params: z.object({ data: Data }).optional(),
  })
  .meta({ id: 'LoadGraphicInstance' })

const OfInstance = z.object({ renderTarget: RenderTarget, graphicInstanceId: InstanceId })

export const UpdateAction = OfInstance.extend({ params: z.object({ data: Data, skipAnimation }) }).meta({
  id: 'UpdateAction',
})
export const PlayAction = OfInstance.extend({
  params: z
    .object({
      delta: z
        .int32()
        .optional()
        .meta({ description: 'So many steps on, or back; 1 unless said. `goto` counts before it' }),
      goto: z.int32().min(0).optional().meta({ description: 'To this step, from 0' }),
      skipAnimation,
    })
    .optional(),
}).meta({ id: 'PlayAction' })
export const StopAction = OfInstance.extend({ params: z.object({ skipAnimation }).optional() }).meta({
  id: 'StopAction',
})
export const InvokedAction = OfInstance.extend({
  params: z.object({ payload: z.unknown().optional(), skipAnimation }).optional(),
}).meta({ id: 'InvokedCustomAction' })
export const RendererAction = z
  .object({ payload: z.unknown().optional(), skipAnimation })
  .meta({ id: 'InvokedRendererAction' })

const Filter = z
  .strictObject({
    renderTarget: RenderTarget.optional(),
    graphicId: GraphicId.optional(),
    graphicInstanceId: InstanceId.optional(),
  })
  .meta({ id: 'GraphicFilter' })

export const Clearing = z
  .object({
    filters: z
      .array(Filter)
      .max(1000)
      .meta({ description: 'What one of them matches in all its members is cleared; without any everything is' }),
  })
  .meta({ id: 'ClearGraphics' })

export const Done = z
  .object({
    graphicInstanceId: InstanceId,
    statusCode: z.number().meta({ description: 'As renderers answered; 200 when none did in time' }),
    statusMessage: z.string().optional(),
  })
  .meta({ id: 'ActionResult' })
/** Words of a vendor begin with `v_` in OGraf. */
export const Loaded = Done.extend({
  v_warnings: z.array(z.string()).optional().meta({
    description:
      'Connected renderers that the graphic is not made for by its `renderRequirements`, in words; also in `statusMessage` when the graphic says nothing itself',
  }),
}).meta({ id: 'LoadResult' })
export const Played = Done.extend({
  currentStep: z.int().optional().meta({ description: 'Left out when it is off air, and of one without steps' }),
}).meta({ id: 'PlayActionResult' })
export const Cleared = z
  .object({
    graphicInstances: z.array(
      z.object({ renderTarget: z.record(z.string(), z.string()), graphicInstanceId: InstanceId }),
    ),
  })
  .meta({ id: 'ClearedGraphics' })
export const RendererActionResult = z.object({ result: z.unknown() }).meta({ id: 'RendererActionResult' })
