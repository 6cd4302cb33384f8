/** The lengths that the header of a WAV file declares. */

/** Some writers are off by the length of the header. */
const toleratedBytes = 1024;
const unknownLength = 0xff_ff_ff_ff;

/** Whether the file declares more sound than it declares bytes: readers differ in which of the two they believe. */
export function contradictsItself(head: Uint8Array): boolean {
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  if (head.length < 12 || view.getUint32(4, true) === unknownLength) return false;
  const end = view.getUint32(4, true) + 8;
  let at = 12;
  while (at + 8 <= head.length) {
    const size = view.getUint32(at + 4, true);
    if (Buffer.from(head.subarray(at, at + 4)).toString('latin1') === 'data') {
      return at + 8 + size > end + toleratedBytes;
    }
    at += 8 + size + (size % 2);
  }
  return false;
}
