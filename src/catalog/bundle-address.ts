/** Where a file of a bundle is served, below the server's address; each segment of its name is encoded. */
export const bundleAddress = (hash: string, name: string) =>
  `/bundles/${hash}/${name.split('/').map(encodeURIComponent).join('/')}`
