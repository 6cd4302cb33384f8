import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { captionOn } from '../../../offline-engine/image/caption.ts';
import { prepareFonts } from '../../../offline-engine/image/fonts.ts';

const size = { width: 300, height: 300 };
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'caption-'));
  await prepareFonts(folder);
});
afterAll(() => rm(folder, { recursive: true }));

const captioned = async (text: string): Promise<Buffer> => {
  const layers = await captionOn(size, text, { label: 'sandbox render', letters: 0.06, lines: 2 });
  return sharp({ create: { ...size, channels: 3, background: '#3366cc' } })
    .composite([...layers])
    .raw()
    .toBuffer();
};

it('an image caption shows its text and the engine’s label at the lower edge, and changes nothing above it', async () => {
  const [one, other] = await Promise.all([captioned('Um farol'), captioned('Dois barcos')]);
  const white = (image: Buffer) => image.filter((value) => value > 240).length;
  expect(white(one)).toBeGreaterThan(100);
  expect(one.equals(other)).toBe(false);
  expect(one.subarray(0, 150 * 300 * 3).equals(other.subarray(0, 150 * 300 * 3))).toBe(true);
  expect([...one.subarray(0, 3)]).toEqual([0x33, 0x66, 0xcc]);
});
