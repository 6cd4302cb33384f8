/** A character that is moved like a body whose face is not visible. */
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { findFaces } from '../../../offline-engine/image/face-finder.ts';
import { type Image, imageOf, pipelineOf } from '../../../offline-engine/image/image.ts';
import { cutOut, subjectMask } from '../../../offline-engine/image/subject-mask.ts';
import type { Movement } from '../../../offline-engine/imitation/pose-path.ts';
import { stageOf } from '../../../offline-engine/imitation/stage.ts';
import { followSubject } from '../../../offline-engine/imitation/subject-sightings.ts';
import { framesPerSecond } from '../../../offline-engine/video/encode-video.ts';
import { blankFrame } from '../../../offline-engine/video/frame.ts';
import { painterOf } from '../../../offline-engine/video/scene.ts';
import { sample } from '../image-client.ts';

const reference = { width: 256, height: 256 };
/** The position of the body in each tenth of a second, in pixels from its first position. */
const path = Array.from({ length: 25 }, (_, index) => ({
  x: Math.round(24 * Math.sin((2 * Math.PI * index) / 32)),
  y: Math.round(24 * Math.sin((2 * Math.PI * index) / 24)),
}));
/** A background that moves past, so that the body is not the only thing that moves. */
const tiles =
  '<svg xmlns="http://www.w3.org/2000/svg" width="400" height="256"><defs><pattern id="tiles" width="46" height="38" patternUnits="userSpaceOnUse"><rect width="46" height="38" fill="#8ab"/><circle cx="16" cy="12" r="9" fill="#468"/></pattern></defs><rect width="400" height="256" fill="url(#tiles)"/></svg>';
/** A patch in the color of the suit that hides the head in the photograph. */
const veil =
  '<svg xmlns="http://www.w3.org/2000/svg" width="512" height="512"><rect x="130" width="190" height="230" rx="60" fill="#e0703a"/></svg>';
/** The character: a red column in front of white. */
const column =
  '<svg xmlns="http://www.w3.org/2000/svg" width="90" height="160"><rect width="90" height="160" fill="#eee"/><rect x="32" y="45" width="26" height="70" rx="8" fill="#c62828"/></svg>';

const size = { width: 90, height: 160 };
let frames: readonly Image[];
let movements: readonly Movement[];
let painted: readonly { readonly x: number; readonly y: number }[];

/** The center of the red pixels. */
const columnIn = (pixels: Uint32Array) => {
  const sums = { count: 0, x: 0, y: 0 };
  for (const [at, pixel] of pixels.entries()) {
    if ((pixel & 255) - ((pixel >>> 8) & 255) < 60) continue;
    sums.count += 1;
    sums.x += at % size.width;
    sums.y += Math.floor(at / size.width);
  }
  return { x: sums.x / sums.count, y: sums.y / sums.count };
};

beforeAll(async () => {
  const photograph = await imageOf(sharp(await sample('astronaut.jpg')), false);
  const person = await pipelineOf(cutOut(photograph, await subjectMask(photograph)))
    .composite([{ input: Buffer.from(veil) }])
    .png()
    .toBuffer();
  const body = await sharp(person).resize(200).toBuffer();
  const wall = await sharp(Buffer.from(tiles)).png().toBuffer();
  frames = await Promise.all(
    path.map(async ({ x, y }, index) => {
      const seen = sharp(wall).extract({ left: 5 * index, top: 0, ...reference });
      const placed = seen.composite([{ input: body, left: x + 28, top: y + 40 }]);
      return imageOf(sharp(await placed.png().toBuffer()), false);
    }),
  );
  movements = await followSubject(frames, () => undefined);
  const paint = painterOf(await stageOf(await imageOf(sharp(Buffer.from(column)), false), size, movements, 1));
  painted = movements.map((_, index) => {
    const frame = blankFrame(size);
    paint(frame, index * framesPerSecond);
    return columnIn(frame.pixels);
  });
});

const largest = (values: readonly number[]) => Math.max(...values.map(Math.abs));

describe('body motion in a reference video without a face', () => {
  it('is derived from the subject, because a face is found in less than half of the frames', async () => {
    const sampled = frames.filter((_, index) => index % 5 === 0);
    const found = await Promise.all(sampled.map(findFaces));
    expect(found.filter((faces) => faces.length > 0).length).toBeLessThan(sampled.length / 2);
  });

  it.each(['x', 'y'] as const)('moves the character along the %s axis in every frame', (axis) => {
    const factor = axis === 'x' ? size.width / reference.width : size.height / reference.height;
    const wanted = path.map((place) => place[axis] * factor);
    const seen = painted.map((place) => place[axis] - (painted[0]?.[axis] ?? 0));
    const misses = seen.map((value, index) => Math.abs(value - (wanted[index] ?? 0)));
    const mean = misses.reduce((sum, miss) => sum + miss, 0) / misses.length;
    expect(largest(wanted)).toBeGreaterThan(8);
    expect(mean).toBeLessThan(0.35 * largest(wanted));
  });
});
