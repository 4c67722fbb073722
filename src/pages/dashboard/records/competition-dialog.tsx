import type { Competition, GradeList } from '../shapes.ts'
import { useResource } from '../use-resource.ts'
import type { FieldDef } from './fields.ts'
import { AGE_OPTIONS, GENDER_OPTIONS, offered, SPORT_OPTIONS } from './options.ts'
import { RecordDialog } from './record-dialog.tsx'
import type { FormProps } from './record-list.tsx'

const KEPT = 'As it is'

type Props = Omit<FormProps<Competition>, 'onSaved'> & { onSaved: (competition: Competition) => Promise<void> }

/** A competition; its sport stays, since matches are played by it. */
export function CompetitionDialog(props: Props) {
  const grades = useResource<GradeList>('/v1/competitions/grades')
  const first = grades.value?.find(({ name }) => name === 'Other') ?? grades.value?.[0]
  const fields: FieldDef[] = [
    { name: 'name', label: 'Name', required: true, maxLength: 39, hint: '6 to 39 characters' },
    { name: 'gfxName', label: 'Name on graphics', maxLength: 19, clears: true, hint: 'Shorter: 6 to 19 characters' },
    { name: 'sport', label: 'Sport', required: true, input: 'select', options: SPORT_OPTIONS, onlyNew: true },
    { name: 'age', label: 'Age', input: 'select', options: AGE_OPTIONS, untold: KEPT },
    { name: 'gender', label: 'Gender', input: 'select', options: GENDER_OPTIONS, untold: KEPT },
    {
      ...{ name: 'gradeId', label: 'Grade', input: 'select', isNumber: true, untold: KEPT },
      options: offered(grades.value).slice(1),
    },
  ]
  if (!grades.value) return null
  return (
    <RecordDialog
      {...props}
      path="/v1/competitions"
      kind="competition"
      nameOf={({ name }) => name}
      fields={fields}
      initial={{ sport: 'football', age: 'Unknown', gender: 'Unknown', gradeId: String(first?.id ?? '') }}
    />
  )
}
