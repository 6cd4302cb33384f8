/** Media files that declare something else than they contain: each is rejected, or measured with its real duration. */
import { describe, expect, test } from 'vitest';
import { isMeasured } from '../../shared/media-files/measured-file.ts';
import { workLimits } from '../../shared/media-files/work.ts';
import { matrixRows } from '../support/matrix-rows.ts';
import { lies } from '../support/media/false-media.ts';
import { withSamples } from '../support/media/false-samples.ts';
import type { Lie } from '../support/media/lie.ts';
import { decodedSeconds, type MediaName, makeMedia, mediaRecipes, mediaSeconds } from '../support/media/made-media.ts';
import { measurementOf } from '../support/media/measured.ts';
import { sealed } from '../support/media/ogg-pages.ts';

const files = await makeMedia();

const fileOf = (name: MediaName): Buffer => files.get(name) ?? expect.fail(`${name} was not made`);

const secondsOf = (bytes: Buffer, chunk?: number): number => {
  const { found } = measurementOf(bytes, chunk);
  return isMeasured(found) ? found.durationSec : expect.fail(found.reason);
};

describe('a genuine media file has its duration measured exactly, whether it is read in parts or as a stream', () => {
  test.for(Object.keys(mediaRecipes) as MediaName[])('%s', (name) => {
    const bytes = fileOf(name);
    expect(Math.abs(secondsOf(bytes) - mediaSeconds)).toBeLessThan(0.15);
    for (const chunk of [1000, 65_536, 2 ** 20]) expect(secondsOf(bytes, chunk)).toBe(secondsOf(bytes));
  });
});

/** Players may decode at most this many seconds beyond the measured duration. */
const toleratedSec = 1;
/** A run-length table has few entries, however many samples they count. */
const fewEntries = 20_000;

/** The title in words, because a template would truncate a long one. */
const told = ({ title, of, outcome }: Lie): string =>
  `${of} with ${title} ${typeof outcome === 'number' ? `is measured as ${outcome} s long` : 'is refused'}`;

/** Refused files take little time. The others are decoded. */
const [refused, measured] = [true, false].map((isRefused) =>
  lies.filter(({ outcome }) => outcome instanceof RegExp === isRefused),
) as [Lie[], Lie[]];

describe('a media file that was tampered with:', () => {
  test.for([...refused, ...matrixRows(measured)].map((lie) => [told(lie), lie] as const))(
    '%s',
    async ([, { of, make, outcome, hasOwnChecksums }]) => {
      const made = make(fileOf(of), files);
      const bytes = hasOwnChecksums ? made : sealed(made);
      for (const chunk of [undefined, 4096]) {
        const { found, work } = measurementOf(bytes, chunk);
        if (outcome instanceof RegExp) {
          expect(found).toMatchObject({ reason: expect.stringMatching(outcome) });
        } else {
          expect(found).toMatchObject({ durationSec: expect.closeTo(outcome, 0) });
          const { durationSec } = found as { durationSec: number };
          expect(Math.abs(durationSec - outcome)).toBeLessThan(0.3);
          expect(await decodedSeconds(bytes, of)).toBeLessThanOrEqual(durationSec + toleratedSec);
        }
        expect(work.entries).toBeLessThan(fewEntries);
        expect(work.elements).toBeLessThan(workLimits.elements / 20);
      }
    },
  );
});

/** An ADTS header with a rate that no index declares, written over the beginning of a sample. */
const headed = (bytes: Buffer, at: number): Buffer =>
  Buffer.from(bytes).fill(Buffer.from('fff16c40', 'hex'), at, at + 4);

const firstInChunk = (bytes: Buffer): number => bytes.readUInt32BE(bytes.lastIndexOf('stco') + 12);
const firstSize = (bytes: Buffer): number => bytes.readUInt32BE(bytes.lastIndexOf('stsz') + 16);
const firstInRun = (bytes: Buffer): number =>
  bytes.indexOf('moof') -
  4 +
  bytes.readInt32BE(bytes.lastIndexOf('trun', bytes.indexOf('mdat', bytes.indexOf('moof'))) + 12);

/** The file with a frame of silence behind that of one sample. */
const withHidden = (bytes: Buffer, place: number): Buffer =>
  withSamples(bytes, (samples) =>
    samples.map((sample, index) =>
      index === place ? Buffer.concat([sample, Buffer.from('00000007', 'hex')]) : sample,
    ),
  );

describe('a frame that is hidden in one sample of AAC', () => {
  const place = 100;

  test('is found in a file that is read completely', () => {
    for (const chunk of [1000, 2 ** 20]) {
      expect(measurementOf(withHidden(fileOf('tone.m4a'), place), chunk).found).toMatchObject({
        reason: 'has sound with more than one frame in a sample',
      });
    }
  });

  test('is found if the file is read in parts and that sample or a byte of it is chosen at random', () => {
    const bytes = withHidden(fileOf('tone.m4a'), place);
    const measured = Array.from(
      { length: 400 },
      (_, part) => measurementOf(bytes, undefined, { random: () => part / 400 }).found,
    );
    const reasons = measured.flatMap((found) => (isMeasured(found) ? [] : found.reason));
    expect(new Set(reasons)).toEqual(new Set(['has sound with more than one frame in a sample']));
    // Of 400 evenly spaced positions, one or two are in a sample of 260 bytes, and as many lead to its number.
    expect(reasons.length).toBeGreaterThanOrEqual(1);
    expect(reasons.length).toBeLessThanOrEqual(4);
  });

  test('is found more often if the measurement is thorough', () => {
    const outcomes = [false, true].map((isThorough) => {
      let calls = 0;
      const random = () => {
        calls += 1;
        return calls / 513;
      };
      return measurementOf(withHidden(fileOf('tone.m4a'), place), undefined, { random, isThorough }).found;
    });
    expect(outcomes).toMatchObject([{ name: 'MP4' }, { fault: 'contradictory' }]);
  });
});

describe('AAC sound with extra headers in its samples, which decoders obey, is refused when the whole file is read', () => {
  test.for([
    { of: 'tone.m4a', sample: 'first', at: firstInChunk },
    { of: 'tone.m4a', sample: 'second', at: (bytes: Buffer) => firstInChunk(bytes) + firstSize(bytes) },
    { of: 'first.mp4', sample: 'first', at: firstInChunk },
    { of: 'film.mov', sample: 'first', at: firstInChunk },
    { of: 'fragments.mp4', sample: 'first', at: firstInRun },
  ] as const)('if they are at the start of the $sample sample of $of', ({ of, at }) => {
    const bytes = fileOf(of);
    for (const chunk of [4096, 2 ** 20]) {
      expect(measurementOf(headed(bytes, at(bytes)), chunk).found).toMatchObject({
        fault: 'contradictory',
        reason: 'has sound with headers of its own in its samples: export it again',
      });
    }
  });

  test('but not if the headers are in the middle of a sample, where they are ordinary sound data', () => {
    const bytes = fileOf('tone.m4a');
    expect(secondsOf(headed(bytes, firstInChunk(bytes) + 10), 4096)).toBe(secondsOf(bytes));
  });
});
