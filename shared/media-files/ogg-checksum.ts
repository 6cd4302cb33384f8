/** The checksum of Ogg pages. @see https://www.rfc-editor.org/rfc/rfc3533#section-6 */
const generator = 0x04c11db7;
/** The position of the checksum in a page, which counts as zero while it is computed. */
export const checksumAt = 22;

const remainders = Uint32Array.from({ length: 256 }, (_, byte) => {
  let remainder = byte << 24;
  for (let bit = 0; bit < 8; bit += 1) remainder = remainder < 0 ? (remainder << 1) ^ generator : remainder << 1;
  return remainder;
});

export function oggChecksum(page: Buffer): number {
  let checksum = 0;
  for (let at = 0; at < page.length; at += 1) {
    const counted = at >= checksumAt && at < checksumAt + 4 ? 0 : (page[at] ?? 0);
    checksum = (checksum << 8) ^ (remainders[((checksum >>> 24) ^ counted) & 255] ?? 0);
  }
  return checksum >>> 0;
}
