/** Files of each type that can be marked, and the ways in which the service marks them, with a key of their own. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BufferSource, EncodedPacketSink, Input, MP3, MP4, WAVE } from 'mediabunny';
import sharp from 'sharp';
import { afterAll } from 'vitest';
import { localContentKey } from '../../infra/local/content-key.ts';
import { makeTestMedia } from '../../shared/engines/test-mode/media/test-media.ts';
import { type Clock, systemClock } from '../../shared/platform/clock.ts';
import { contentSigner } from '../../shared/platform/content-signer.ts';
import { settingsOf, settingVariables } from '../../shared/platform/settings.ts';
import { contentCredentials, type MarkingHost } from '../../shared/provenance/content-credentials.ts';
import { manifestSigner } from '../../shared/provenance/manifest-signer.ts';
import type { LargeFile, Origin, Provenance } from '../../shared/provenance/provenance.ts';
import { tinyWav } from '../support/tiny-sound.ts';

/**
 * The bytes that are passed on while a file arrives in chunks of seven bytes, which divide the headers of its boxes.
 */
export function passedBy(large: LargeFile, file: Uint8Array): readonly Uint8Array[] {
  const passed: Uint8Array[] = [];
  for (let at = 0; at < file.length; at += 7) passed.push(...large.take(file.subarray(at, at + 7)));
  return passed;
}

export const markCopiedBy = (by: Provenance, file: Uint8Array, contentType: string, origin: Origin) =>
  by.markLarge({ contentType, bytes: file.length }, async (large) => {
    const passed = passedBy(large, file);
    const { rest, ...marked } = await large.marked(origin);
    return { bytes: Buffer.concat([...passed, ...rest]), ...marked };
  });
/** Ways of marking files with a key that exists until the end of the test file. */
export function markingInTests() {
  const keysDir = mkdtempSync(join(tmpdir(), 'content-key-'));
  afterAll(() => rmSync(keysDir, { recursive: true }));
  const { key, certificates } = localContentKey(keysDir);
  const settings = settingsOf({
    [settingVariables.contentSigningKey]: key,
    [settingVariables.contentCertificates]: certificates,
  });
  const credentialsAt = (clock: Clock, marking?: MarkingHost) => contentCredentials({ clock, settings, marking });
  const manifests = () =>
    manifestSigner({ signer: contentSigner({ clock: systemClock, settings }), clock: systemClock });
  const credentials = credentialsAt(systemClock);
  const markInMemory: Provenance['mark'] = (...given) => credentials.mark(...given);
  const markCopied: Provenance['mark'] = (...given) => markCopiedBy(credentials, ...given);
  const authority = readFileSync(join(keysDir, 'content', 'authority.pem'), 'utf8');
  return { authority, credentials, credentialsAt, manifests, markCopied, markInMemory };
}

const file = (type: string) =>
  makeTestMedia(`test:${type}?width=320&height=240&seconds=3&sound=true&paper=%23aabbcc&word=%23000000`);

/** One file of each type that results and inputs can have and that the library can mark. */
export const files = {
  'image/png': file('png'),
  'image/jpeg': file('jpg'),
  'image/webp': file('webp'),
  'video/mp4': file('mp4'),
  'audio/mpeg': file('mp3'),
  'audio/wav': new Uint8Array(tinyWav(2)),
} as const;

export const at = '2026-01-02T03:04:05.000Z';
export const created: Origin = {
  digitalSourceType: 'trainedAlgorithmicMedia',
  softwareAgent: 'engine/model',
  at,
  inputs: [],
};

/** The decoded pixels of an image; for audio and video the encoded samples, which decoders receive. */
export async function contentOf(contentType: string, bytes: Uint8Array): Promise<unknown> {
  if (contentType.startsWith('image/')) return sharp(bytes).raw().toBuffer();
  const input = new Input({ formats: [MP3, MP4, WAVE], source: new BufferSource(new Uint8Array(bytes)) });
  const tracks = await input.getTracks();
  return Promise.all(
    tracks.map(async (track) => {
      const packets = await Array.fromAsync(new EncodedPacketSink(track).packets());
      return packets.map(({ timestamp, duration, data }) => [
        timestamp,
        duration,
        Buffer.from(data).toString('base64'),
      ]);
    }),
  );
}
