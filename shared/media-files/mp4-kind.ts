/** Determines whether a track of an MP4 is audio, video or something that is not measured. */
import { contradictory, unreadable } from './media-fault.ts';
import { decoderIn } from './mp4-decoder.ts';
import { requirePictureEntry, requirePictureType } from './mp4-picture-codecs.ts';
import type { Work } from './work.ts';

const soundCodecs = new Set(
  `mp4a alac sowt twos in24 in32 fl32 fl64 ulaw alaw samr sawb lpcm ipcm fpcm Opus fLaC
  ac-3 ec-3 ac-4 .mp3 ima4 QDM2 QDMC MAC3 MAC6 enca dtsc dtse dtsh dtsl mlpa spex agsm`.split(/\s+/),
);
/**
 * Sample entries that are neither audio nor video: timecodes, texts, subtitles, hints for servers, and metadata of
 * cameras.
 */
const otherEntries = new Set([
  ...`tmcd text tx3g wvtt stpp sbtt stxt c608 c708 dfxp mebx mett metx
  sett urim srtp rrtp sm2t gpmd fdsc camm rtmd djmd dbgi CTMD priv`.split(/\s+/),
  'rtp ',
  'fdp ',
]);
/** Boxes that make decoders treat a track as audio, whatever its sample entry is called. */
const soundBoxes = ['wfex', 'iacb'];
/** Boxes that make decoders accept any sample entry. */
const decoderBoxes = [...soundBoxes, ...'esds wave strf glbl dac3 dec3 ddts dmlp dOps dfLa moov trak'.split(' ')];

const displayed = (name: string): string => name.replaceAll(/[^\w.-]/g, '?');

/** The names of the entries in an `stsd`. */
export function entryNames(descriptions: Buffer, work: Work): readonly string[] {
  if (descriptions.length < 8) throw unreadable();
  const count = descriptions.readUInt32BE(4);
  work.visit(count);
  const names: string[] = [];
  for (let at = 8; names.length < count; ) {
    if (at + 8 > descriptions.length) throw unreadable();
    const size = descriptions.readUInt32BE(at);
    if (size < 8 || at + size > descriptions.length) throw unreadable();
    names.push(descriptions.toString('latin1', at + 4, at + 8));
    at += size;
  }
  return names;
}

/**
 * Rejects a video track whose sample entries decoders would treat as audio, or whose codec is not accepted. Boxes are
 * searched for in all bytes, because a color table of any length may precede them.
 * @throws {MediaFault} contradictory, excessive, unmeasurable
 */
function requirePicture(descriptions: Buffer, work: Work): void {
  const names = entryNames(descriptions, work);
  if (names.some((name) => soundCodecs.has(name))) throw contradictory('has a picture in a codec of sound');
  work.scan((soundBoxes.length + 1) * descriptions.length);
  const [name] = soundBoxes.filter((box) => descriptions.includes(box, 0, 'latin1'));
  if (name !== undefined) throw contradictory(`has a picture with a box ${name}`);
  for (let at = descriptions.indexOf('esds'); at >= 0; at = descriptions.indexOf('esds', at + 1)) {
    requirePictureType(decoderIn(descriptions.subarray(at + 4)).type);
  }
  for (const entry of names) requirePictureEntry(entry);
}

/**
 * Whether a track is audio or video, by its handler and by its codec: decoders ignore the name of the handler.
 * @throws {MediaFault} contradictory, unmeasurable, unreadable
 */
export function trackKind(handler: string, descriptions: Buffer, work: Work): 'sound' | 'picture' | undefined {
  if (handler === 'soun') return 'sound';
  if (handler === 'vide') {
    requirePicture(descriptions, work);
    return 'picture';
  }
  const names = entryNames(descriptions, work);
  const unknown = names.find((name) => !otherEntries.has(name));
  if (unknown !== undefined) {
    throw contradictory(`has a track of an unknown kind (${displayed(handler)}, ${displayed(unknown)})`);
  }
  work.scan(decoderBoxes.length * descriptions.length);
  if (decoderBoxes.some((box) => descriptions.includes(box, 0, 'latin1'))) {
    throw contradictory(`has a decoder in a track of ${displayed(handler)}`);
  }
  return undefined;
}
