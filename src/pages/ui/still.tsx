import './still.css'
import { useEffect, useRef, useState } from 'react'
import { loadStill } from './still-loader.ts'

/**
 * What a preset would put on air; nothing while there is no picture of it. Asked for again with each `revision`, and before all others when what
 * it shows, `subject`, is another.
 */
export function Still({ url, revision, subject }: { url: string; revision: unknown; subject: string }) {
  const [src, setSrc] = useState<string>()
  const shown = useRef(subject)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new revision is the reason to ask again
  useEffect(() => {
    const isFirst = shown.current !== subject
    shown.current = subject
    return loadStill(url, setSrc, { isFirst })
  }, [url, revision, subject])
  // what it shows is told in words beside it
  return src === undefined ? null : <img className="still" src={src} alt="" width={480} height={270} />
}
