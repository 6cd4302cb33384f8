import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { defaultPrices } from '../../../shared/catalog/prices.ts';
import {
  cortesCost,
  creativeVideoCost,
  imitationCost,
  studioVideoCost,
  upscaleCost,
  voiceChangeCost,
  voiceCost,
} from '../../../shared/domain/generation/pricing.ts';

test.for([
  [1, 1],
  [50, 1],
  [51, 2],
  [100, 2],
  [101, 3],
  [2000, 40],
] as const)('speech for a text of length %i costs %i credit(s)', ([characters, credits]) => {
  expect(voiceCost('á'.repeat(characters), defaultPrices.voice)).toBe(credits);
  expect(voiceCost('🎙'.repeat(characters), defaultPrices.voice)).toBe(credits);
});

test('speech costs a whole number of credits, at least one, and a longer text never costs less', () => {
  const text = fc.string({ unit: 'binary', minLength: 1, maxLength: 300 });
  fc.assert(
    fc.property(text, text, (one, more) => {
      const cost = voiceCost(one, defaultPrices.voice);
      expect(Number.isInteger(cost) && cost >= 1).toBe(true);
      expect(voiceCost(one + more, defaultPrices.voice)).toBeGreaterThanOrEqual(cost);
    }),
  );
});

test('an upscale costs the price that the catalog sets for its scale', () => {
  const credits = fc.nat({ max: 1000 });
  fc.assert(
    fc.property(credits, credits, (creditsAtTwice, creditsAtFourTimes) => {
      const prices = { creditsAtTwice, creditsAtFourTimes };
      expect(upscaleCost(2, prices)).toBe(creditsAtTwice);
      expect(upscaleCost(4, prices)).toBe(creditsAtFourTimes);
    }),
  );
});

test.for([
  ['480p', 4, 16],
  ['480p', 10, 40],
  ['720p', 4, 24],
  ['720p', 5, 30],
  ['720p', 7, 42],
  ['1080p', 4, 40],
  ['1080p', 10, 100],
] as const)('a creative video at %s of %i seconds costs %i credits', ([resolution, durationSec, credits]) => {
  expect(creativeVideoCost({ resolution, durationSec }, defaultPrices.videoCreative)).toBe(credits);
});

test.for([
  [0.1, 2],
  [10, 2],
  [10.1, 4],
  [60, 12],
] as const)('a voice change of %f seconds costs %i credits', ([seconds, credits]) => {
  expect(voiceChangeCost(seconds, defaultPrices.voiceChange)).toBe(credits);
});

test.for([
  ['vendor-motion-2.6', '720p', 3, 15],
  ['vendor-motion-2.6', '1080p', 3, 24],
  ['vendor-motion-3.0', '720p', 3.2, 32],
  ['vendor-motion-3.0', '1080p', 30, 360],
] as const)(
  'motion transfer with the model %s at %s of %f seconds costs %i credits',
  ([model, quality, seconds, credits]) => {
    expect(imitationCost(seconds, { model, quality }, defaultPrices.videoImitate)).toBe(credits);
  },
);

test.for([
  [60, 1, 7],
  [61, 1, 9],
  [600, 4, 40],
] as const)('%i seconds of video, cut into %i clip(s), cost %i credits', ([seconds, clipCount, credits]) => {
  expect(cortesCost({ seconds, clipCount }, defaultPrices.cortes)).toBe(credits);
});

test.for([
  ['480p', 15, 30],
  ['480p', 4, 8],
  ['720p', 15, 46],
  ['720p', 4, 13],
] as const)(
  'a Studio video at %s of %i s costs %i credits if 15 s cost 30 (480p) and 46 (720p) in the catalog',
  (given) => {
    const [resolution, durationSec, credits] = given;
    const mode = { costsByResolution: { '480p': 30, '720p': 46 } };
    expect(studioVideoCost({ resolution, durationSec }, mode)).toBe(credits);
  },
);
