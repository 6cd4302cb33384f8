/** The error for a file that no attempt could mark, because of what it is. Its message quotes nothing of the file. */
export class UnmarkableFile extends Error {
  override readonly name = 'UnmarkableFile';
}
