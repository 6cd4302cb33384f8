/** Determines how to check the samples of a video track of an MP4. */
import { contradictory } from './media-fault.ts';
import { decoderIn } from './mp4-decoder.ts';
import { entryNames } from './mp4-kind.ts';
import { av1Check, type PictureCheck, vp9Check } from './picture-check.ts';
import type { Work } from './work.ts';

/** The object type of VP9 in an `esds`. */
const vp9Type = 0xb1;
/** The bytes of an `av1C` before the units of AV1. */
const av1HeadBytes = 4;

/** The content of the first box of this type, wherever it is in a sample entry. */
function contentOf(descriptions: Buffer, type: string): Buffer | undefined {
  const at = descriptions.indexOf(type, 0, 'latin1');
  return at < 4 ? undefined : descriptions.subarray(at + 4, at - 4 + descriptions.readUInt32BE(at - 4));
}

function codecOf(name: string, descriptions: Buffer): 'av1' | 'vp9' | undefined {
  // Decoders ignore the case of names.
  if (/^(?:av01|dav1)$/i.test(name)) return 'av1';
  if (/^vp(?:09|90)$/i.test(name)) return 'vp9';
  const esds = contentOf(descriptions, 'esds');
  return esds && decoderIn(esds).type === vp9Type ? 'vp9' : undefined;
}

/** The check; undefined if the codec needs none. @throws {MediaFault} contradictory, unreadable */
export function pictureCheckIn(descriptions: Buffer, work: Work): PictureCheck | undefined {
  const codecs = new Set(entryNames(descriptions, work).map((name) => codecOf(name, descriptions)));
  const [codec] = codecs;
  if (codecs.size > 1) throw contradictory('contains pictures in more than one codec: export it again');
  if (codec === 'vp9') return vp9Check(work);
  return codec && av1Check(contentOf(descriptions, 'av1C')?.subarray(av1HeadBytes) ?? Buffer.alloc(0), work);
}
