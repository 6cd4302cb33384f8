/** Any report of an engine is recorded in a form that fits into its row and can be shown. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { Outcome } from '../../../shared/contracts/workflow.ts';
import { boundedOutputs, boundedProgress } from '../../../shared/domain/engine-jobs/bounded-report.ts';
import type { EngineOutput } from '../../../shared/engines/engine.ts';

const number = fc.double();
const text = fc.string({ unit: 'binary', maxLength: 2000 });

const output: fc.Arbitrary<EngineOutput> = fc.record(
  {
    url: fc.string({ maxLength: 5000 }),
    contentType: text,
    width: number,
    height: number,
    durationSec: number,
    posterUrl: fc.string({ maxLength: 5000 }),
    clip: fc.record(
      { title: text, hook: text, score: number, startTime: number, endTime: number },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: ['url', 'contentType'] },
);

test('an engine’s report is stored with finite numbers, safe texts and a bounded size', () => {
  fc.assert(
    fc.property(fc.array(output, { maxLength: 60 }), (outputs) => {
      const bounded = boundedOutputs(outputs);
      expect(Outcome().safeParse({ status: 'done', outputs: bounded }).success).toBe(true);
      expect(Buffer.byteLength(JSON.stringify(bounded))).toBeLessThan(400_000);
      for (const { clip = {} } of bounded) {
        expect(clip.score ?? 0).toBeLessThanOrEqual(1);
        expect(`${clip.title}${clip.hook}`).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u);
      }
    }),
    { numRuns: 50 },
  );
});

test('an engine’s output with a URL that could not be stored is dropped, and such a poster is left out', () => {
  const [url, wrong] = ['https://example.com/1.mp4', 'https://example.com/\ud800.mp4'];
  const contentType = 'video/mp4';
  expect(
    boundedOutputs([
      { url: wrong, contentType },
      { url, contentType, posterUrl: wrong },
    ]),
  ).toEqual([{ url, contentType }]);
});

test('the largest stored engine report fits into its DynamoDB item, in any writing system', () => {
  const longest = (letter: string, bytes: number) => letter.repeat(Math.floor(bytes / Buffer.byteLength(letter)));
  for (const letter of ['a', 'é', '語', '😀']) {
    const url = longest(letter, 4000);
    const text = letter.repeat(2000);
    const clip = { title: text, hook: text, score: 1 / 3, startTime: 1 / 3, endTime: 100_000 / 3 };
    const outputs = Array.from({ length: 60 }, () => ({ url, contentType: text, posterUrl: url, clip }));
    const bounded = boundedOutputs(outputs);
    expect(bounded).toHaveLength(20);
    // A row of DynamoDB has at most 400 KB, and this one has further attributes.
    expect(Buffer.byteLength(JSON.stringify(bounded))).toBeLessThan(350_000);
    expect(boundedOutputs([{ url: `${url}${letter}`, contentType: 'video/mp4' }])).toEqual([]);
  }
});

test('values of an engine’s report that are within their ranges are unchanged', () => {
  const usual = {
    url: 'https://engine.example/1.mp4',
    contentType: 'video/mp4',
    width: 1080,
    height: 1920,
    durationSec: 29.97,
    posterUrl: 'https://engine.example/1.jpg',
    clip: { title: 'Olá', hook: 'Veja!', score: 0.5, startTime: 0, endTime: 29.97 },
  };
  expect(boundedOutputs([usual])).toEqual([usual]);
});

test.for([
  [37.9, 37],
  [-5, 0],
  [1e300, 99],
  [Number.NaN, 0],
  [Number.POSITIVE_INFINITY, 0],
] as const)('an engine’s reported progress of %f counts as %i percent', ([reported, expected]) => {
  expect(boundedProgress({ progress: reported })).toBe(expected);
});
