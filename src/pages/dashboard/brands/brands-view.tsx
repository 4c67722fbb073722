import './brands.css'
import { useState } from 'react'
import { ActionMenu } from '../../ui/action-menu.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Moment } from '../../ui/moment.tsx'
import { Table } from '../../ui/table.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { api } from '../api.ts'
import { Confirm } from '../confirm.tsx'
import { Empty, PageHead, Waiting } from '../parts.tsx'
import { useMay } from '../session.tsx'
import type { Brand, BrandList } from '../shapes.ts'
import { useFilters } from '../use-filters.ts'
import { useResource } from '../use-resource.ts'
import { BrandDialog } from './brand-dialog.tsx'
import { BrandMark } from './brand-mark.tsx'
import { BrandState } from './brand-state.tsx'
import { Delivery } from './delivery.tsx'
import { SlotsTab } from './slots-tab.tsx'

/** The brands of sponsors, and what they were promised against what was seen of them. */
export function BrandsView() {
  const filters = useFilters()
  const mayChange = useMay('themes:write')
  const list = useResource<BrandList>('/v2/brands?limit=1000')
  const [edited, setEdited] = useState<Brand | 'new'>()
  const [deleted, setDeleted] = useState<Brand>()
  return (
    <>
      <PageHead
        title="Brands"
        about="Sponsors with their logos, the slots in which they share time, and how long they were seen."
      >
        {mayChange && (
          <Button look="primary" onClick={() => setEdited('new')}>
            Add a brand
          </Button>
        )}
      </PageHead>
      <Tabs
        label="What is told of brands"
        selected={filters.get('show') || 'list'}
        onSelect={(show) => filters.set({ show })}
        tabs={[
          {
            id: 'list',
            title: 'Brands',
            content: list.value ? (
              <List
                brands={list.value.brands}
                onUses={({ id }) => filters.set({ show: 'slots', brand: String(id) })}
                {...(mayChange && { onEdit: setEdited, onDelete: setDeleted })}
              />
            ) : (
              <Waiting error={list.error} reload={list.reload} />
            ),
          },
          {
            id: 'slots',
            title: 'Sponsor slots',
            content: <SlotsTab brands={list.value?.brands ?? []} filters={filters} />,
          },
          { id: 'delivery', title: 'Promised and painted', content: <Delivery filters={filters} /> },
        ]}
      />
      {edited && (
        <BrandDialog
          brand={edited === 'new' ? undefined : edited}
          onClose={() => setEdited(undefined)}
          reload={list.reload}
        />
      )}
      {deleted && (
        <Confirm
          open
          title={`Delete ${deleted.name}?`}
          about="What it had on air is still told under its name. While a slot, a preset, a game plan or a graphic on air uses it, it stays."
          label="Delete the brand"
          onClose={() => setDeleted(undefined)}
          write={async (key) => {
            await api('DELETE', `/v2/brands/${deleted.id}`, { key })
            await list.reload()
          }}
        />
      )}
    </>
  )
}

type ListProps = {
  brands: readonly Brand[]
  /** Shows the slots that it is in. */
  onUses: (brand: Brand) => void
  onEdit?: (brand: Brand) => void
  onDelete?: (brand: Brand) => void
}

function List({ brands, onUses, onEdit, onDelete }: ListProps) {
  if (brands.length === 0) return <Empty>No brands yet. Sponsor slots share their time among them.</Empty>
  return (
    <Table label="Brands" columns={['Brand', 'Tagline', 'Shown', 'From', 'Until', '']}>
      {brands.map((brand) => (
        <tr key={brand.id}>
          <td>
            <span className="brand-cell">
              <BrandMark brand={brand} />
              {brand.name}
            </span>
          </td>
          <td className="cell-wrap">{brand.tagline ?? <span className="cell-about">–</span>}</td>
          <td>
            <BrandState brand={brand} /> {brand.house && <Badge>House</Badge>}
          </td>
          <td>{brand.from === null ? '–' : <Moment at={brand.from} />}</td>
          <td>{brand.to === null ? '–' : <Moment at={brand.to} />}</td>
          <td className="cell-actions">
            <ActionMenu
              of={brand.name}
              actions={[
                ...(onEdit ? [{ title: 'Edit', onSelect: () => onEdit(brand) }] : []),
                { title: 'Sponsor slots', onSelect: () => onUses(brand) },
                ...(onDelete ? [{ title: 'Delete', onSelect: () => onDelete(brand), danger: true }] : []),
              ]}
            />
          </td>
        </tr>
      ))}
    </Table>
  )
}
