import { useEffect, useRef, useState } from 'react'
import { Button } from './button.tsx'

const SAID_MS = 2_000

/** A text that can be copied with one press, also where the page is not served over https. */
export function Copy({ text, label }: { text: string; label: string }) {
  const [said, setSaid] = useState('')
  const shown = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (said === '') return
    const timer = window.setTimeout(() => setSaid(''), SAID_MS)
    return () => window.clearTimeout(timer)
  }, [said])
  const copy = async () => setSaid((await copyText(text, shown.current)) ? 'Copied' : 'Press Ctrl+C')
  return (
    <div className="copy">
      <input
        className="copy-text"
        ref={shown}
        readOnly
        value={text}
        aria-label={label}
        onFocus={(event) => event.target.select()}
      />
      <Button onClick={() => void copy()}>
        {said || 'Copy'}
        <span className="visually-hidden"> {label}</span>
      </Button>
      <span className="visually-hidden" role="status">
        {said}
      </span>
    </div>
  )
}

/** False: it could only be selected. */
async function copyText(text: string, shown: HTMLInputElement | null): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    // without https there is no clipboard; selected text can still be copied
    shown?.select()
    return document.execCommand('copy')
  }
}
