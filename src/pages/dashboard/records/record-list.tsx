import './records.css'
import { type ReactNode, useState } from 'react'
import { ActionMenu, type MenuAction } from '../../ui/action-menu.tsx'
import { Button } from '../../ui/button.tsx'
import { Table } from '../../ui/table.tsx'
import { api } from '../api.ts'
import { Confirm } from '../confirm.tsx'
import { Pager } from '../filter-fields.tsx'
import { Empty, PageHead, Waiting } from '../parts.tsx'
import { type LimitedScope, RoleLimit } from '../role-limit.tsx'
import { Link } from '../router.tsx'
import { useMay } from '../session.tsx'
import { type Filters, useFilters } from '../use-filters.ts'
import { useResource } from '../use-resource.ts'
import { SearchField } from './search-field.tsx'

const PAGE = 50

type Listed = { id: number; dataProvider?: { name: string } | undefined }
export type FormProps<T> = { record: T | undefined; onClose: () => void; onSaved: () => Promise<void> }

type Props<T extends Listed> = {
  title: string
  about: string
  /** `venue` */
  kind: string
  /** Of the list in the API, and the member of its answer that holds the records. */
  path: string
  member: string
  /** The scope by which the records may be changed. */
  scope: LimitedScope
  nameOf: (record: T) => string
  columns: readonly string[]
  /** The cells of a row, one for each column. */
  cells: (record: T) => readonly ReactNode[]
  /** The form of a new record, and of one that is there; left out, records are made elsewhere. */
  form?: (props: FormProps<T>) => ReactNode
  actions?: (record: T) => readonly MenuAction[]
  /** More filters, which stand in the address, and their names there. */
  filterNames?: readonly string[]
  filterFields?: (filters: Filters) => ReactNode
  empty: ReactNode
  /** What a deletion takes along, and what it does not. */
  deletes: string
  head?: ReactNode
  /** The view where a list of them is pasted or imported. */
  importAt?: string
}

/** The page of one kind of records: search, pages, a form, and deletion, which says what hinders it. */
export function RecordList<T extends Listed>(props: Props<T>) {
  const { title, about, kind, path, member, scope, nameOf, columns, cells, form, actions, deletes, head, importAt } =
    props
  const filters = useFilters()
  const mayChange = useMay(scope)
  const [edited, setEdited] = useState<T | 'new'>()
  const [deleted, setDeleted] = useState<T>()
  const names = ['name', 'offset', ...(props.filterNames ?? [])]
  const list = useResource<{ total: number; returned: number } & Record<string, unknown>>(
    `${path}${filters.query(names, { limit: String(PAGE) })}`,
  )
  // the member of the answer that `path` names
  const records = list.value?.[member] as readonly T[] | undefined
  const isSupplied = records?.some(({ dataProvider }) => dataProvider) ?? false
  const isNarrowed = names.some((name) => filters.get(name) !== '')
  const add = form && mayChange && (
    <Button look="primary" onClick={() => setEdited('new')}>
      New {kind}
    </Button>
  )
  return (
    <>
      <PageHead title={title} about={about}>
        {head}
        {importAt && mayChange && (
          <Link className="button" to={importAt}>
            Paste or import…
          </Link>
        )}
        {add}
        <RoleLimit scope={scope} />
      </PageHead>
      <div className="filters">
        <SearchField filters={filters} />
        {props.filterFields?.(filters)}
      </div>
      {!records && <Waiting error={list.error} reload={list.reload} />}
      {records?.length === 0 && <Empty>{isNarrowed ? `No ${kind} is called so.` : props.empty}</Empty>}
      {records && records.length > 0 && (
        <div className="record-table">
          <Table label={title} columns={[...columns, ...(isSupplied ? ['From'] : []), '']}>
            {records.map((record) => (
              <tr key={record.id}>
                {cells(record).map((cell, index) => (
                  <td key={columns[index]} className="cell-wrap">
                    {cell}
                  </td>
                ))}
                {isSupplied && <td className="cell-about">{record.dataProvider?.name ?? 'by hand'}</td>}
                <td className="cell-actions">
                  <Actions
                    of={nameOf(record)}
                    actions={[
                      ...(form && mayChange ? [{ title: 'Edit', onSelect: () => setEdited(record) }] : []),
                      ...(actions?.(record) ?? []),
                      ...(mayChange ? [{ title: 'Delete', onSelect: () => setDeleted(record), danger: true }] : []),
                    ]}
                  />
                </td>
              </tr>
            ))}
          </Table>
        </div>
      )}
      {list.value && <Pager filters={filters} total={list.value.total} returned={list.value.returned} limit={PAGE} />}
      {edited &&
        form?.({
          record: edited === 'new' ? undefined : edited,
          onClose: () => setEdited(undefined),
          onSaved: list.reload,
        })}
      {deleted && (
        <Confirm
          open
          title={`Delete ${nameOf(deleted)}?`}
          about={`${deletes} This cannot be taken back.`}
          label={`Delete the ${kind}`}
          onClose={() => setDeleted(undefined)}
          write={async (key) => {
            await api('DELETE', `${path}/${deleted.id}`, { key })
            await list.reload()
          }}
        />
      )}
    </>
  )
}

const Actions = (props: { of: string; actions: readonly MenuAction[] }) =>
  props.actions.length > 0 ? <ActionMenu {...props} /> : null

/** Nothing was said. */
export const NONE = <span className="cell-about">–</span>
