import type { ASTNode } from '@marcbachmann/cel-js'

type Evaluate = (evaluator: Evaluator, node: Node, context: unknown) => unknown
type Check = (checker: Checker, node: Node, context: unknown) => unknown
type Evaluator = { run(node: Node, context: unknown): unknown }
type Checker = {
  readonly dynType: unknown
  readonly stringType: unknown
  check(node: Node, context: unknown): unknown
}

/** A node of a parsed expression, with members of the library that its types do not declare. */
export type Node = {
  readonly op: string
  readonly args: unknown
  readonly start: number
  readonly meta: {
    readonly check?: Check
    readonly evaluate?: Evaluate
    readonly alternate?: Node
    readonly macro?: { readonly bindCtx?: Names }
  }
  setMeta(key: 'check', value: Check): unknown
  setMeta(key: 'evaluate', value: Evaluate): unknown
}

/** The whole tree. The library declares only the part of its nodes that prints them; this version of it is pinned. */
export const treeOf = (ast: ASTNode) => ast as unknown as Node

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'op' in value && 'setMeta' in value

/** The node of `filter`, `map`, `all` and their like. */
type Loop = { iterable: Node; init: Node; step: Node; iterCtx?: Names }
export const loopOf = ({ op, args }: Node) => (op === 'comprehension' ? (args as Loop) : undefined)

/** The nodes that are evaluated for this one. */
export function partsOf(node: Node): Node[] {
  if (node.meta.alternate) return [node.meta.alternate]
  const loop = loopOf(node)
  return loop ? [loop.iterable, loop.init, loop.step] : [node.args].flat(2).filter(isNode)
}

/** The names inside a loop or a `cel.bind`, which one run after the other uses. */
type Names = { reuse(outer: unknown): unknown; iterValue: unknown; accuValue: unknown }

/** Lets go of the data of the last run. */
export function forget(node: Node): void {
  const names = loopOf(node)?.iterCtx ?? node.meta.macro?.bindCtx
  if (!names) return
  names.reuse(undefined)
  names.iterValue = undefined
  names.accuValue = undefined
}

/** The method that a node calls on something, with the nodes of its receiver and arguments. */
export function methodOf({ op, args, meta }: Node) {
  if (op !== 'rcall' || meta.alternate) return undefined
  const [name, receiver, given] = args as [string, Node, Node[]]
  return { name, parts: [receiver, ...given] }
}

/** The nodes that a comparison has: two values, or one with those of a list. */
export function comparedBy({ op, args }: Node): { parts: [Node, Node]; isIn: boolean } | undefined {
  if (!['==', '!=', 'in'].includes(op)) return undefined
  return { parts: args as [Node, Node], isIn: op === 'in' }
}

/** Whether a node calls a function, which may take as long as many steps. */
export const isCall = ({ op }: Node) => op === 'rcall' || op === 'call'

/** The name that a node is: of the scope, or of a loop. */
export const nameOf = ({ op, args }: Node): string | undefined =>
  op === 'id' && typeof args === 'string' ? args : undefined

/** The text that a node is, written out. */
export const textOf = ({ op, args }: Node): string | undefined =>
  op === 'value' && typeof args === 'string' ? args : undefined

/** The member that a node reads of a name of the scope: `expressions.title`, `expressions["title"]`. */
export function memberOf({ op, args }: Node, name: string): string | undefined {
  if (!['.', '.?', '[]', '[?]'].includes(op)) return undefined
  const [left, right] = args as [Node, string | Node]
  if (left.op !== 'id' || left.args !== name) return undefined
  const member = isNode(right) ? right.args : right
  return typeof member === 'string' ? member : undefined
}
