interface ImportMetaEnv {
  /** Version of the package. */
  readonly VITE_VERSION: string
}
