/** Held shared while a backup is made: files that its snapshot names must not be deleted meanwhile. */
export const BACKUP_LOCK = 7_225_004
