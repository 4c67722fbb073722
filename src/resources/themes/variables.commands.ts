import type { TransactionSql } from 'postgres'
import type { z } from 'zod'
import type { RecordContext } from '../../context.ts'
import { type FieldErrors, invalid } from '../../errors.ts'
import { RESERVED_NAMES } from '../../expressions/rules.ts'
import { themeValueProblem } from '../../schema/theme-variable.ts'
import { checkTarget, lockedTheme, thisWrite, touchTheme } from '../target.ts'
import { tellCatalog } from './activation.ts'
import { getThemeVariable } from './variables.queries.ts'
import type {
  ThemeVariable,
  ThemeVariableCreation,
  ThemeVariableUpdate,
  WrittenThemeVariable,
} from './variables.schema.ts'

type Variable = Omit<z.output<typeof ThemeVariable>, 'id'>
type Written = z.output<typeof WrittenThemeVariable>
export type NewVariable = Omit<z.output<typeof ThemeVariableCreation>, 'ifUnchangedSince'>

/** Adds a variable; graphics on air receive its default. Throws targetChanged, and invalid when the name is taken. */
export const createThemeVariable = (
  ctx: RecordContext,
  themeId: number,
  asked: z.output<typeof ThemeVariableCreation>,
): Promise<Written> =>
  change(ctx, themeId, {
    type: 'createVariable',
    asked,
    async apply(tx) {
      await insertVariable(tx, themeId, asked)
      return { type: 'themeVariable.created', themeId, variableId: asked.name }
    },
    answer: (tx) => getThemeVariable(ctx, themeId, asked.name, tx),
  })

/**
 * Changes the fields that were sent, never the name; graphics on air receive the value in force. A type that is not enum has no
 * options. Throws targetChanged, and invalid when the default or the value of a profile would not fit. spec: Themes 18
 */
export const updateThemeVariable = (
  ctx: RecordContext,
  { themeId, variableId }: { themeId: number; variableId: string },
  asked: z.output<typeof ThemeVariableUpdate>,
): Promise<Written> =>
  change(ctx, themeId, {
    type: 'updateVariable',
    asked: { variableId, ...asked },
    async apply(tx) {
      const { ifUnchangedSince: _, ...changes } = asked
      const before = await getThemeVariable(ctx, themeId, variableId, tx)
      if (Object.values(changes).every((value) => value === undefined)) return undefined
      const after = changed(before, changes)
      check(after)
      await checkProfiles(tx, themeId, after)
      await tx`update theme_variable set type = ${after.type}, default_value = ${after.defaultValue},
          description = ${after.description}, enum_options = ${after.enumOptions}, is_style = ${after.isStyle}
        where theme_id = ${themeId} and id = ${variableId}`
      return { type: 'themeVariable.updated', themeId, variableId, changes: noted(changes) }
    },
    answer: (tx) => getThemeVariable(ctx, themeId, variableId, tx),
  })

/** Takes a variable away, with its values in profiles. Throws targetChanged. */
export const deleteThemeVariable = (
  ctx: RecordContext,
  { themeId, variableId }: { themeId: number; variableId: string },
  ifUnchangedSince: string | undefined,
): Promise<undefined> =>
  change(ctx, themeId, {
    type: 'deleteVariable',
    asked: { variableId, ifUnchangedSince },
    async apply(tx) {
      await tx`delete from theme_variable where theme_id = ${themeId} and id = ${variableId}`
      await tx`
        with dropped as (
          delete from theme_variable_value s using theme_profile p
          where p.id = s.theme_profile_id and p.theme_id = ${themeId} and s.variable_id = ${variableId}
          returning p.id)
        update theme_profile set updated_at = ${thisWrite(tx)} where id in (select id from dropped)`
      return { type: 'themeVariable.deleted', themeId, variableId }
    },
    answer: async () => undefined,
  })

type Change<T> = {
  type: string
  asked: {
    variableId?: string
    ifUnchangedSince?: string | undefined
    enumOptions?: readonly string[] | null | undefined
  }
  /** Answers the event, undefined when nothing was changed. */
  apply(tx: TransactionSql): Promise<{ type: string } | undefined>
  answer(tx: TransactionSql): Promise<T>
}

/** A request as it is journaled: the number of its options, which may be long. */
const noted = <T extends { enumOptions?: readonly string[] | null | undefined }>(asked: T) => ({
  ...asked,
  ...(asked.enumOptions && { enumOptions: asked.enumOptions.length }),
})

/** One write of a theme's variables: overlays that wear the theme hear of it. */
async function change<T>(ctx: RecordContext, themeId: number, { type, asked, apply, answer }: Change<T>): Promise<T> {
  const result = await ctx.db.write(ctx, { ref: `theme/${themeId}`, type, asked: noted(asked) }, async (tx) => {
    const theme = await lockedTheme(ctx, tx, themeId, asked.ifUnchangedSince)
    if (asked.variableId !== undefined) await getThemeVariable(ctx, themeId, asked.variableId, tx)
    checkTarget(theme)
    const event = await apply(tx)
    if (!event) return { result: await answer(tx), events: [] }
    await touchTheme(tx, themeId)
    await tellCatalog(tx, themeId)
    return {
      result: await answer(tx),
      events: [event],
      outbox: [{ kind: 'reaction', payload: { event: event.type, ref: `theme-style/${themeId}` } }],
    }
  })
  ctx.catalog.forget({ theme: themeId })
  return result
}

/** Inserts a checked variable into a theme that the transaction has made or locked. */
export async function insertVariable(tx: TransactionSql, themeId: number, asked: NewVariable) {
  const { name, type } = asked
  // the last two are no segment that clients send in a path
  if (RESERVED_NAMES.has(name) || ['.', '..'].includes(name))
    throw invalid({ 'body.name': { message: 'the name is reserved', value: name } })
  const variable = changed({ name, type, ...EMPTY }, asked)
  check(variable)
  const [row] = await tx`
    insert into theme_variable (theme_id, id, name, type, default_value, description, enum_options, is_style)
    values (${themeId}, ${name}, ${name}, ${type}, ${variable.defaultValue}, ${variable.description},
      ${variable.enumOptions}, ${variable.isStyle})
    on conflict do nothing returning id`
  if (!row) throw invalid({ 'body.name': { message: 'another variable of the theme has this name', value: name } })
}

const EMPTY = { defaultValue: null, description: null, enumOptions: null, isStyle: false }

type Changes = { [Key in keyof Variable]?: Variable[Key] | undefined }

/** The variable with the fields that were sent; options go with the type that has them. */
function changed(before: Variable, changes: Changes): Variable {
  const type = changes.type ?? before.type
  const kept = type === 'enum' ? before.enumOptions : null
  return {
    name: before.name,
    type,
    defaultValue: changes.defaultValue === undefined ? before.defaultValue : changes.defaultValue,
    description: changes.description === undefined ? before.description : changes.description,
    enumOptions: changes.enumOptions === undefined ? kept : changes.enumOptions,
    isStyle: changes.isStyle ?? before.isStyle,
  }
}

/** Throws invalid naming the fields that do not fit together. */
function check(variable: Variable) {
  const { type, enumOptions, defaultValue } = variable
  const details: FieldErrors = {}
  const twice = enumOptions?.find((option, index) => enumOptions.indexOf(option) !== index)
  if (type !== 'enum' && enumOptions) details['body.enumOptions'] = { message: 'only an enum has options' }
  else if (type === 'enum' && !enumOptions?.length) details['body.enumOptions'] = { message: 'an enum needs options' }
  else if (twice !== undefined) details['body.enumOptions'] = { message: 'the option is there twice', value: twice }
  const judged = defaultValue !== null && (type !== 'enum' || enumOptions?.length)
  const wrong = judged ? themeValueProblem(variable, defaultValue) : undefined
  if (wrong !== undefined) details['body.defaultValue'] = { message: wrong, value: defaultValue }
  if (Object.keys(details).length > 0) throw invalid(details)
}

/** The values of profiles are somebody else's work: they are not dropped by a change of the type. */
async function checkProfiles(tx: TransactionSql, themeId: number, variable: Variable) {
  const values = await tx<{ profileId: number; value: string }[]>`
    select p.id as "profileId", s.value from theme_variable_value s
    join theme_profile p on p.id = s.theme_profile_id
    where p.theme_id = ${themeId} and p.archived_at is null and s.variable_id = ${variable.name} order by p.id`
  const misfit = values.find(({ value }) => themeValueProblem(variable, value) !== undefined)
  if (!misfit) return
  const field = variable.type === 'enum' ? 'body.enumOptions' : 'body.type'
  throw invalid({ [field]: { message: `theme profile ${misfit.profileId} has another value`, value: misfit.value } })
}
