export const value = 'module'
