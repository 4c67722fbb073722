/** The faults of a folder, one line each, each with the file and the path in it. */
export class FolderError extends Error {
  constructor(lines: readonly string[]) {
    super(lines.join('\n'))
  }
}
