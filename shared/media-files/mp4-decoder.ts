/** Parses the decoder configuration of MPEG-4 (`esds`), which says what codec a track has. */
import { unreadable } from './media-fault.ts';

/** An MPEG-4 descriptor, whose size has seven bits in each byte. */
function descriptorAt(bytes: Buffer, at: number) {
  let [size, next] = [0, at + 1];
  for (let count = 0; count < 4; count += 1, next += 1) {
    const byte = bytes[next] ?? 0;
    size = size * 128 + (byte & 127);
    if (byte < 128) break;
  }
  return { tag: bytes[at], content: next + 1, size };
}

/** The decoder configuration of an `esds`: the object type and the AudioSpecificConfig. @throws {MediaFault} unreadable */
export function decoderIn(esds: Buffer): { readonly type: number; readonly config: Buffer } {
  const stream = descriptorAt(esds, 4);
  if (stream.tag !== 3) throw unreadable();
  const flags = esds[stream.content + 2] ?? 0;
  let at = stream.content + 3 + (flags & 0x80 ? 2 : 0);
  if (flags & 0x40) at += 1 + (esds[at] ?? 0);
  if (flags & 0x20) at += 2;
  const decoder = descriptorAt(esds, at);
  if (decoder.tag !== 4) throw unreadable();
  const specific = descriptorAt(esds, decoder.content + 13);
  const config = esds.subarray(specific.content, specific.content + specific.size);
  return { type: esds[decoder.content] ?? 0, config: specific.tag === 5 ? config : Buffer.alloc(0) };
}
