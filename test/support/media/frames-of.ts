import { frameHeadAt } from '../../../shared/media-files/mpeg-frame.ts';

/** The frames of an MP3 or ADTS file, without what precedes the first one. */
export function framesOf(bytes: Buffer): readonly Buffer[] {
  const frames: Buffer[] = [];
  const first = frameHeadAt(bytes, 0) ? 0 : bytes.indexOf('fffb', 0, 'hex');
  for (let at = first; at < bytes.length; ) {
    const length = frameHeadAt(bytes, at)?.bytes ?? bytes.length;
    frames.push(bytes.subarray(at, at + length));
    at += length;
  }
  return frames;
}
