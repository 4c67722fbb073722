/** How people write a number, and what the buttons beside it do. */
export type Measure = {
  /** Null for nothing; undefined: no number yet. */
  read(text: string): number | null | undefined
  write(value: number): string
  step: number
}

const plain: Measure = {
  read(text) {
    const trimmed = text.trim().replace(',', '.')
    if (trimmed === '') return null
    const number = Number(trimmed)
    return Number.isFinite(number) ? number : undefined
  },
  write: String,
  step: 1,
}

/** Without what comes of halves, tenths and hundredths that are none in binary. */
export const rounded = (value: number) => Number(value.toFixed(10))

/** 0.25 is 25 %. */
const percentage: Measure = {
  read(text) {
    const number = plain.read(text.replace(/%\s*$/, ''))
    return typeof number === 'number' ? rounded(number / 100) : number
  },
  write: (value) => `${rounded(value * 100)} %`,
  step: 0.01,
}

/** 83500 is 1:23.5; what is written without a colon are seconds. */
const duration: Measure = {
  read(text) {
    const trimmed = text.trim().replace(',', '.')
    if (trimmed === '') return null
    const parts = /^(-?)(?:(?:(\d+):)?(\d+):)?(\d+(?:\.\d*)?)$/.exec(trimmed)
    if (!parts) return undefined
    const [, sign, hours = 0, minutes = 0, seconds] = parts
    const ms = Math.round(((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1_000)
    return sign === '-' ? -ms : ms
  },
  write(value) {
    const ms = Math.abs(Math.round(value))
    const two = (number: number) => String(number).padStart(2, '0')
    const hours = Math.floor(ms / 3_600_000)
    const minutes = Math.floor(ms / 60_000) % 60
    const rest = ms % 1_000
    const fraction = rest === 0 ? '' : `.${String(rest).padStart(3, '0').replace(/0+$/, '')}`
    const clock = `${hours > 0 ? `${hours}:${two(minutes)}` : minutes}:${two(Math.floor(ms / 1_000) % 60)}${fraction}`
    return value < 0 ? `-${clock}` : clock
  },
  step: 1_000,
}

/** By the GDD type of a number. integrations: OGraf import */
export const measureOf = (gddType: string | undefined): Measure =>
  gddType === 'percentage' ? percentage : gddType === 'duration-ms' ? duration : plain
