import { RE2JS } from 're2js'
import { budget } from './budget.ts'
import { type PatternSize, patternSize } from './pattern-size.ts'
import { Recent } from './recent.ts'

/** Characters of a pattern. */
export const MAX_PATTERN = 200
/** Instructions of its program, with every repeat written out. */
export const MAX_INSTRUCTIONS = 1_000
/** Steps of compiling one pattern, or all that stand in one expression. */
export const MAX_PATTERN_STEPS = 10_000

/** Bytes that compiled patterns may hold, by whomever they are. */
const MAX_BYTES = 64 * 1_024 * 1_024
// measured with re2js 2.10 after a match, rounded up
const BYTES_OF_PROGRAM = 4_096
const BYTES_OF_COPIED_STEP = 512
const BYTES_OF_STEP_ONCE = 32

type Program = { compiled: RE2JS; bytes: number }
const programs = new Recent<Program>(MAX_BYTES, ({ bytes }) => bytes)

const stepsOf = ({ copied, once }: PatternSize) => copied + once
const bytesOf = ({ copied, once }: PatternSize) =>
  BYTES_OF_PROGRAM + copied * BYTES_OF_COPIED_STEP + once * BYTES_OF_STEP_ONCE

/** Throws the fault of a pattern before any step is spent on it. */
function sizeOf(source: string): PatternSize {
  if (source.length > MAX_PATTERN) throw new Error(`a pattern of more than ${MAX_PATTERN} characters`)
  const size = patternSize(source)
  if (size.instructions > MAX_INSTRUCTIONS || stepsOf(size) > MAX_PATTERN_STEPS)
    throw new Error('a pattern that is too large with its repeats written out')
  return size
}

function compiled(source: string, size: PatternSize): Program {
  // a backspace is nothing to look for: in a string literal `\b` became one
  return { compiled: RE2JS.compile(source.replaceAll('\b', '\\b')), bytes: bytesOf(size) }
}

/** The pattern, which may have been compiled before. Otherwise it is charged to the evaluation. Throws its fault. */
export function patternOf(source: string): RE2JS {
  const { compiled: pattern } = programs.get(source, () => {
    const size = sizeOf(source)
    budget.spend(stepsOf(size))
    const program = compiled(source, size)
    budget.look()
    return program
  })
  return pattern
}

/** Compiles a pattern ahead of its evaluations when it takes at most so many steps; answers how many. Throws its fault. */
export function prepare(source: string, allowedSteps: number): number {
  const size = sizeOf(source)
  const steps = stepsOf(size)
  if (steps > allowedSteps) throw new Error('patterns that are too large together')
  programs.get(source, () => compiled(source, size))
  return steps
}

/** Bytes that compiled patterns hold now, as they are counted. */
export const patternBytes = () => programs.weight
