import './still.css'
import { useEffect, useState } from 'react'
import { loadStill } from './still-loader.ts'

/** What a preset would put on air, asked for again with each `revision`; nothing while there is no picture of it. */
export function Still({ url, revision }: { url: string; revision: unknown }) {
  const [src, setSrc] = useState<string>()
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new revision is the reason to ask again
  useEffect(() => loadStill(url, setSrc), [url, revision])
  // what it shows is told in words beside it
  return src === undefined ? null : <img className="still" src={src} alt="" width={480} height={270} />
}
