/** The demo's check of results against what their tasks and requests say. */
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { problemsOfResult, resultFacts } from '../../../infra/demo/result-facts.ts';
import { tasksContracts } from '../../../shared/contracts/tasks.ts';
import { tinyMp4 } from '../../support/tiny-video.ts';

const size = { width: 720, height: 1280 };
const task = { ...tasksContracts.getTask.example.data, results: [] };
const described = {
  url: 'https://example.com/1.mp4',
  contentType: 'video/mp4',
  bytes: 1,
  expiresAt: '2027-01-01T00:00:00.000Z',
  ...size,
  durationSec: 4,
  posterUrl: 'https://example.com/1.jpg',
  provenance: null,
};
const expected = { ...size, durationSec: 4, hasAudio: false };

async function problems(bytes: Buffer, changes: object = {}, wanted = expected) {
  const request = { fileNames: ['a.mp4'], expected: wanted };
  const facts = await resultFacts(bytes);
  return problemsOfResult({ request, task, fileName: 'a.mp4', described: { ...described, ...changes }, facts });
}

describe('a result video in the demo', () => {
  it('that matches its request and its description is reported without a problem', async () => {
    expect(await problems(await tinyMp4(4, size))).toEqual([]);
  });

  it.each([
    [4.3, {}, {}, ['a.mp4 lasts 4.3 s, not as described', 'a.mp4 lasts 4.3 s, not as requested']],
    [4, {}, { width: 480 }, ['a.mp4 is 720 × 1280, not as requested']],
    [4, {}, { hasAudio: true }, ['a.mp4 has no sound track']],
    [4, { width: 704 }, {}, ['a.mp4 is 720 × 1280, not as described']],
    [4, { posterUrl: undefined }, {}, ['a.mp4 has no poster']],
    [4, { contentType: 'video/webm' }, {}, ['a.mp4 is video/mp4, not video/webm']],
  ] as const)(
    'that lasts %d s, with %j in its description and %j in its request, is reported with these problems: %j',
    async (...given) => {
      const [seconds, changes, wanted, found] = given;
      const bytes = await tinyMp4(seconds, size);
      expect(await problems(bytes, changes, { ...expected, ...wanted })).toEqual(found);
    },
  );
});

it('the demo recognizes a result file as an image or a media file, or ends with an error', async () => {
  const image = await sharp({ create: { ...size, channels: 3, background: '#888' } })
    .png()
    .toBuffer();
  expect(await resultFacts(image)).toEqual({ contentType: 'image/png', ...size });
  await expect(resultFacts(Buffer.from('<!doctype html>'))).rejects.toThrow('a result is not a media file');
});
