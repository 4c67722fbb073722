/** The specification shows no scope for control rooms: they belong to a theme, and operators of overlays read them. */
export const reads = { method: 'get', beta: true, scopes: ['themes:read', 'overlays:read'] } as const
export const writes = { beta: true, scopes: ['themes:write'] } as const
