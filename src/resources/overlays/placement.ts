import type { TransactionSql } from 'postgres'
import { forbidden, invalid, notFound } from '../../errors.ts'

type Asked = {
  matchId: number
  /** Undefined: the default profile of the competition, if it has one. Null: none. */
  profileId: number | null | undefined
  /** The overlay keeps its profile even when no other could choose it any more. */
  storedProfileId?: number | null
  /** Undefined: the stored room when it fits the theme, else the default room of the profile. Null: none. */
  roomId: number | null | undefined
  storedRoomId?: number | null
}

type Owned = { organizationId: number }

/** A row that a body names: missing 404, another organization's 403. */
function owned<Row extends Owned>(row: Row | undefined, organizationId: number): Row {
  if (!row) throw notFound()
  if (row.organizationId !== organizationId) throw forbidden()
  return row
}

/** Which profile and control room an overlay of this match gets. spec: Overlays 11 */
export async function placement(tx: TransactionSql, organizationId: number, asked: Asked) {
  const [matchRow] = await tx<(Owned & { competitionId: number })[]>`
    select organization_id as "organizationId", competition_id as "competitionId" from match where id = ${asked.matchId}`
  const match = owned(matchRow, organizationId)
  // the organization of the records is checked before their use
  const profile = await findProfile(tx, organizationId, match.competitionId, asked.profileId)
  const room = await findRoom(tx, organizationId, asked)
  if (profile && profile.id !== asked.storedProfileId) checkProfile(profile, match.competitionId)
  return { profileId: profile?.id ?? null, roomId: roomFor(profile, room, asked) }
}

type Profile = Owned & {
  id: number
  competitionId: number
  themeId: number
  defaultRoomId: number | null
  archived: boolean
}

async function findProfile(
  tx: TransactionSql,
  organizationId: number,
  competitionId: number,
  profileId: Asked['profileId'],
): Promise<Profile | undefined> {
  if (profileId === null) return undefined
  const [row] = await tx<Profile[]>`
    select id, organization_id as "organizationId", competition_id as "competitionId", theme_id as "themeId",
      default_control_room_id as "defaultRoomId", archived_at is not null as archived
    from theme_profile
    where ${
      profileId === undefined
        ? tx`competition_id = ${competitionId} and is_default and archived_at is null`
        : tx`id = ${profileId}`
    } order by id limit 1 for share`
  if (!row && profileId === undefined) return undefined
  return owned(row, organizationId)
}

function checkProfile(profile: Profile, competitionId: number): void {
  const refuse = (message: string) => invalid({ 'body.competitionThemeSettingId': { message, value: profile.id } })
  if (profile.competitionId !== competitionId) throw refuse('a profile of another competition than the match')
  if (profile.archived) throw refuse('the profile is archived')
}

type Room = Owned & { id: number; themeId: number }

async function findRoom(tx: TransactionSql, organizationId: number, asked: Asked): Promise<Room | undefined> {
  const id = asked.roomId === undefined ? asked.storedRoomId : asked.roomId
  if (typeof id !== 'number') return undefined
  const [row] = await tx<Room[]>`
    select id, organization_id as "organizationId", theme_id as "themeId" from control_room where id = ${id}
    for key share`
  return owned(row, organizationId)
}

function roomFor(profile: Profile | undefined, room: Room | undefined, asked: Asked): number | null {
  const unsaid = asked.roomId === undefined
  if (!room) return unsaid && asked.storedRoomId === undefined ? (profile?.defaultRoomId ?? null) : null
  if (!profile || room.themeId === profile.themeId) return room.id
  if (unsaid) return profile.defaultRoomId
  throw invalid({
    'body.controlRoomId': { message: 'a control room of another theme than the profile', value: room.id },
  })
}
