/** The reader of AAC agrees with ffmpeg about where frames end: for frames that ffmpeg encodes, and for those that it decodes. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { ffmpeg } from '../../offline-engine/ffmpeg.ts';
import { AacBlocks } from '../../shared/media-files/aac-block.ts';
import { aacRates } from '../../shared/media-files/aac-config.ts';
import { frameHeadAt } from '../../shared/media-files/mpeg-frame.ts';
import { adtsOf, BlockMaker } from '../support/media/made-aac.ts';
import { seededNumbers } from '../support/seeded-numbers.ts';

const folder = mkdtempSync(join(tmpdir(), 'aac-decoders-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Voice-like bursts of noise over a rising tone. */
const source = 'aevalsrc=sin(400*t*t)*gt(mod(t\\,0.3)\\,0.15)+0.3*random(0)*lt(mod(t\\,0.5)\\,0.1)';
const encodedRates = aacRates.filter((rate) => rate > 7350);

describe('a frame of AAC that ffmpeg encodes ends at the end of its packet', () => {
  test.for(encodedRates)('at %i Hz, with one, two or six channels and at low and high bit rates', async (rate) => {
    for (const [channels, bits] of [
      [1, '12k'],
      [1, '96k'],
      [2, '24k'],
      [2, '256k'],
      [6, '384k'],
    ] as const) {
      const input = ['-f', 'lavfi', '-i', source, '-t', '1.5', '-ar', String(rate), '-ac', String(channels)];
      const bytes = await ffmpeg({ arguments: [...input, '-c:a', 'aac', '-b:a', bits, '-f', 'adts', 'pipe:1'] });
      const blocks = new AacBlocks(aacRates.indexOf(rate));
      let frames = 0;
      for (let at = 0; at < bytes.length; frames += 1) {
        const length = frameHeadAt(bytes, at)?.bytes ?? expect.fail('no frame');
        const packet = bytes.subarray(at + 7, at + length);
        expect(blocks.bytesOf(packet), `frame ${frames} of ${channels} channels at ${bits}`).toBe(packet.length);
        at += length;
      }
      expect(frames).toBeGreaterThan((1.5 * rate) / 1024 - 2);
    }
  });
});

describe('ffmpeg decodes all random blocks of AAC, which use all tools, without an error', () => {
  test.for(encodedRates)('at %i Hz', async (rate) => {
    for (const channels of [1, 2] as const) {
      const maker = new BlockMaker(seededNumbers(rate + channels), aacRates.indexOf(rate));
      const file = join(folder, `${rate}-${channels}.aac`);
      const made = adtsOf(
        Array.from({ length: 100 }, () => maker.block(channels)),
        rate,
        channels,
      );
      writeFileSync(file, made);
      let frames = 0;
      for (let at = 0; at < made.length; at += frameHeadAt(made, at)?.bytes ?? made.length) frames += 1;
      // With `explode`, ffmpeg fails at the first error.
      const decoded = await ffmpeg({
        arguments: ['-xerror', '-err_detect', 'explode', '-f', 'aac', '-i', file, '-ac', '1', '-f', 's16le', 'pipe:1'],
      });
      expect(decoded.length / 2048).toBe(frames);
    }
  });
});
