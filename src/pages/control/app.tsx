import './control.css'
import { useEffect, useRef, useState } from 'react'
import { useLive } from '../live/use-live.ts'
import { ConnectionAlarm } from '../ui/connection.tsx'
import { useWakeLock } from '../ui/use-wake-lock.ts'
import { Activity } from './activity.tsx'
import { Buses } from './buses.tsx'
import { type Desk, DeskContext, onAirAs, targetOf } from './desk.ts'
import { Help } from './help.tsx'
import type { Preset, Room } from './model.ts'
import { OnAirStrip } from './on-air-strip.tsx'
import { Panic } from './panic.tsx'
import { Picture } from './picture.tsx'
import { PlanBar } from './plan-bar.tsx'
import { RehearsalBar } from './rehearsal-bar.tsx'
import { RundownColumn } from './rundown.tsx'
import { SectionNav } from './section-nav.tsx'
import { Sections } from './sections.tsx'
import { SidePanel } from './side-panel.tsx'
import { TopBar } from './top-bar.tsx'
import { useCommands } from './use-commands.ts'
import { useDesk } from './use-desk.ts'
import { NO_KEYS, useKeys } from './use-keys.ts'
import { useRoom } from './use-room.ts'
import { useStored } from './use-stored.ts'

type Live = ReturnType<typeof useLive>

/** The page that operators work with, behind the unguessable address of one overlay. */
export function ControlRoom() {
  const live = useLive()
  const { answer: room, refused } = useRoom(live.roomRevision)
  useTitle(live)
  return (
    <div className={`page page-${live.connection}${live.rehearsal ? ' in-rehearsal' : ''}`}>
      <ConnectionAlarm connection={live.connection} since={live.since} />
      {room && live.cursor !== undefined ? (
        <Working live={live} room={room} refused={refused} />
      ) : (
        <Opening live={live} refused={refused} />
      )}
    </div>
  )
}

/** All can be hidden, whether or not the room can be read. */
function Opening({ live, refused }: { live: Live; refused: string | undefined }) {
  const { outcomes, send } = useCommands()
  const hideAll = () => void send(targetOf.all, { action: 'hideAll' })
  useKeys({ ...NO_KEYS, panic: hideAll })
  return (
    <main className="opening">
      <h1>Control room</h1>
      <p role="status">{refused ?? 'Opening'}</p>
      {refused !== undefined && <Panic live={live} outcome={outcomes.get(targetOf.all)} hideAll={hideAll} />}
    </main>
  )
}

function Working({ live, room, refused }: { live: Live; room: Room; refused: string | undefined }) {
  const desk = useDesk(live, room)
  const previews = desk.mode === 'preview'
  const [search, setSearch] = useState('')
  const [helping, setHelping] = useState(false)
  const [letters, setLetters] = useStored('tally.keys', true)
  const [programAlone, setProgramAlone] = useStored('tally.program-alone', false)
  const searchField = useRef<HTMLInputElement>(null)
  const list = useRef<HTMLDivElement>(null)
  useWakeLock()
  const byKey = (key: string): Preset | undefined => room.presets.find(({ id }) => desk.keys.get(id) === key)
  useKeys({
    letters,
    panic: () => desk.hideAll(),
    plan: () => desk.plan?.isOn && desk.plan.pauseOrResume(),
    openPlan: (what) => (what === 'schedule' || desk.plan) && desk.openPlan(what),
    rundown(to) {
      if (desk.rundown) desk.rundown[to]()
      return desk.rundown !== undefined
    },
    search: () => searchField.current?.focus(),
    help: () => setHelping(true),
    values: () => desk.selected !== undefined && desk.openValues(desk.selected),
    preset(key) {
      const preset = byKey(key)
      if (preset) desk.fire(preset)
    },
    undo: () => desk.undo(),
    preview: previews ? { take: () => desk.take(), clear: () => desk.uncue(), off: () => takeOff(desk) } : undefined,
    shifted(key) {
      const preset = byKey(key)
      if (previews) {
        if (preset) desk.cut(preset)
        return preset !== undefined
      }
      const graphic = preset && onAirAs(preset, live.onAir)
      if (!preset || !graphic) return false
      desk.hide(targetOf.preset(preset.id), graphic.graphicId)
      return true
    },
  })
  const classes = ['work', previews && 'work-previews', desk.rundown && 'work-rundown', desk.cutNext && 'work-cuts']
  return (
    <DeskContext value={desk}>
      <RehearsalBar />
      <TopBar
        search={search}
        onSearch={setSearch}
        searchField={searchField}
        onHelp={() => setHelping(true)}
        keys={letters}
      />
      <main className={classes.filter(Boolean).join(' ')} aria-label="Control room">
        {previews && <Buses alone={programAlone} onAlone={setProgramAlone} />}
        <RundownColumn />
        <div className="work-main">
          <div>
            <PlanBar />
            {!previews && <OnAirStrip />}
            <SectionNav box={list} />
            {refused !== undefined && live.connection === 'connected' && (
              <p className="failure" role="alert">
                The control room could not be read again: {refused}
              </p>
            )}
          </div>
          <div className="sections" ref={list}>
            <Sections search={search} keys={letters} onClear={() => setSearch('')} />
          </div>
        </div>
        <div className="work-side">
          {!previews && <Picture />}
          <SidePanel />
          <Activity />
        </div>
      </main>
      <Help open={helping} onClose={() => setHelping(false)} mode={desk.mode} keys={letters} onKeys={setLetters} />
    </DeskContext>
  )
}

/** The selected preset: off air, or where it is not there off preview. */
function takeOff(desk: Desk) {
  const preset = desk.room.presets.find(({ id }) => id === desk.selected)
  if (!preset) return
  const graphic = desk.shownOf(preset)?.graphic
  if (graphic) desk.hide(targetOf.preset(preset.id), graphic.graphicId)
  else if (desk.cueOf(preset)) desk.uncue(preset.id)
}

function useTitle({ connection, overlay, onAir, rehearsal }: Live) {
  const name = overlay ? `${overlay.name}, control room` : 'Control room'
  const air = rehearsal ? 'Rehearsal' : onAir.size > 0 ? `● ${onAir.size} on air` : ''
  const state = connection === 'connected' ? air : '⚠ Not connected'
  useEffect(() => {
    document.title = [state, name].filter(Boolean).join(' · ')
  }, [state, name])
}
