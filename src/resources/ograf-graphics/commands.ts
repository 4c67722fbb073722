import type { z } from 'zod'
import type { RecordContext } from '../../context.ts'
import type { GraphicPath } from '../code-graphics/schema.ts'
import { graphicRef, lockThemeAndDraft } from '../code-graphics/working-copy.ts'
import { publishDraft } from '../graphic-writes.ts'
import { getWrittenOgrafGraphic } from './queries.ts'
import type { PublishedOgraf } from './schema.ts'

/** Publishes the working copy as an immutable version; the working copy goes on as the next one, under a new id. */
export function publishOgrafGraphic(
  ctx: RecordContext,
  path: GraphicPath,
  { ifUnchangedSince }: { ifUnchangedSince?: string | undefined },
): Promise<z.output<typeof PublishedOgraf>> {
  const { graphicId } = path
  return ctx.db.write(ctx, { ref: graphicRef(graphicId), type: 'publish' }, async (tx) => {
    const { version } = await lockThemeAndDraft(ctx, tx, path, ifUnchangedSince)
    const updatedAt = await publishDraft(tx, path)
    return {
      result: { publishedVersion: version, graphic: await getWrittenOgrafGraphic(ctx, tx, path), updatedAt },
      events: [{ type: 'graphic.published', graphicId, version }],
    }
  })
}
