/** The error of signing content while its key has no certificate yet. */
export class NotCertified extends Error {
  override readonly name = 'NotCertified';
  constructor() {
    super('the key that signs content is not certified');
  }
}
