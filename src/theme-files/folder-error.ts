/** What is wrong with a folder, one line for each thing, each with the file and the path in it. */
export class FolderError extends Error {
  constructor(lines: readonly string[]) {
    super(lines.join('\n'))
  }
}
