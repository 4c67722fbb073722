import { useEffect, useRef, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { MAX_LOGO_BYTES } from '../upload-logo.ts'
import { here } from './club-mark.tsx'
import { boxOf, type Crop, kept, MAX_ZOOM, WHOLE } from './crop.ts'

/** What becomes of the logo: a picture that was chosen and how it lies in the square, or none. */
export type LogoChoice = { picture: ImageBitmap; name: string; crop: Crop } | 'none' | undefined

const SIDES = [512, 384, 256, 128]

type Props = {
  label?: string
  hint?: string
  /** The logo that is there. */
  url: string | undefined
  choice: LogoChoice
  onChange: (choice: LogoChoice) => void
}

/** Chooses a picture and cuts a square out of it: drawn, dragged, or with the arrow keys; the slider brings it nearer. */
export function LogoField({ label = 'Logo', hint, url, choice, onChange }: Props) {
  const [fault, setFault] = useState<string>()
  const chosen = choice === 'none' ? undefined : choice
  const take = async (file: File) => {
    try {
      const picture = await createImageBitmap(file)
      setFault(undefined)
      onChange({ picture, name: file.name, crop: WHOLE })
    } catch {
      setFault(`${file.name} is no picture that can be read. A PNG with a transparent ground is best.`)
    }
  }
  const crop = (change: Partial<Crop>) =>
    chosen && onChange({ ...chosen, crop: kept(chosen.picture, { ...chosen.crop, ...change }) })
  const shown = choice === undefined ? url : undefined
  return (
    <fieldset
      className="logo-field"
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault()
        const [file] = event.dataTransfer.files
        if (file) void take(file)
      }}
    >
      {chosen ? (
        <Stage choice={chosen} onCrop={crop} />
      ) : (
        <div className="logo-stage">
          {shown ? <img src={here(shown)} alt="The logo" /> : <span className="logo-none">No logo</span>}
        </div>
      )}
      <div className="logo-tools">
        <Field label={label} hint={hint ?? 'Choose or drop a picture; drag it to where it belongs'} error={fault}>
          {(given) => (
            <input
              className="input"
              type="file"
              accept="image/*"
              onChange={({ target }) => {
                const [file] = target.files ?? []
                if (file) void take(file)
                target.value = ''
              }}
              {...given}
            />
          )}
        </Field>
        {chosen && (
          <Field label="Size in the square">
            {(given) => (
              <input
                type="range"
                min={0.5}
                max={MAX_ZOOM}
                step={0.05}
                value={chosen.crop.zoom}
                onChange={({ target }) => crop({ zoom: Number(target.value) })}
                {...given}
              />
            )}
          </Field>
        )}
        {(chosen || shown) && (
          <Button small onClick={() => onChange(chosen && url ? undefined : 'none')}>
            {chosen && url ? 'Keep the logo of before' : 'Without a logo'}
          </Button>
        )}
      </div>
    </fieldset>
  )
}

const STEPS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-0.02, 0],
  ArrowRight: [0.02, 0],
  ArrowUp: [0, -0.02],
  ArrowDown: [0, 0.02],
}

function Stage({
  choice,
  onCrop,
}: {
  choice: Exclude<LogoChoice, 'none' | undefined>
  onCrop: (crop: Partial<Crop>) => void
}) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const held = useRef<{ x: number; y: number }>(undefined)
  const { picture, crop } = choice
  useEffect(() => {
    if (canvas.current) draw(canvas.current, picture, crop)
  }, [picture, crop])
  return (
    <div
      className="logo-stage logo-stage-cropped"
      role="application"
      aria-label="The picture in the square; the arrow keys move it"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what is moved must be reached by keyboard
      tabIndex={0}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId)
        held.current = { x: event.clientX, y: event.clientY }
      }}
      onPointerMove={({ currentTarget, clientX, clientY }) => {
        const { current } = held
        if (!current) return
        const side = currentTarget.clientWidth
        held.current = { x: clientX, y: clientY }
        onCrop({ x: crop.x + (clientX - current.x) / side, y: crop.y + (clientY - current.y) / side })
      }}
      onPointerUp={() => {
        held.current = undefined
      }}
      onKeyDown={(event) => {
        const step = STEPS[event.key]
        if (!step) return
        event.preventDefault()
        onCrop({ x: crop.x + step[0], y: crop.y + step[1] })
      }}
    >
      <canvas ref={canvas} width={384} height={384} />
    </div>
  )
}

function draw(canvas: HTMLCanvasElement, picture: ImageBitmap, crop: Crop) {
  const context = canvas.getContext('2d')
  if (!context) return
  const { left, top, width, height } = boxOf(picture, crop, canvas.width)
  context.clearRect(0, 0, canvas.width, canvas.height)
  context.imageSmoothingQuality = 'high'
  context.drawImage(picture, left, top, width, height)
}

/** The square as a PNG file, in the largest size that the server takes. */
export async function fileOf({ picture, name, crop }: Exclude<LogoChoice, 'none' | undefined>): Promise<File> {
  for (const side of SIDES) {
    const canvas = document.createElement('canvas')
    canvas.width = side
    canvas.height = side
    draw(canvas, picture, crop)
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'))
    if (blob && blob.size <= MAX_LOGO_BYTES) return new File([blob], `${name}.png`, { type: 'image/png' })
  }
  throw new Error('the picture cannot be drawn')
}
