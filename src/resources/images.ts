/** Where the server has an image; its bytes never change. `publicUrl` is without a trailing slash. */
export const imageUrl = (publicUrl: string, hash: string) => `${publicUrl}/images/${hash}`
