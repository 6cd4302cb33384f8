/** Checks, by the content of the samples, that the tracks of an MP4 have no more frames than its index counts. */
import type { FileShape } from './file-shape.ts';
import type { Walk } from './file-walk.ts';
import type { KeptBytes } from './kept-bytes.ts';
import { contradictory } from './media-fault.ts';
import { soundCheckOf, type Track, visitSamples } from './mp4-track.ts';
import { framesOfElement } from './packet-clock.ts';
import { largestExamined, type PictureCheck } from './picture-check.ts';
import type { Spans } from './spans.ts';
import { elementsToExamine, type Work, workLimits } from './work.ts';

/**
 * How many samples are examined in a file that is read in parts: usually, and in a thorough measurement; none if the
 * file will be read again. Each is the sample that contains a random byte of the audio. If excess frames are hidden in
 * samples that make up a share b of the bytes, n samples find them with the probability 1 - (1 - b)^n; half as many are
 * chosen by their number. In a file of 128
 * kbit/s that lasts twice as long as it declares, the share is at least 1 %, because a frame of silence takes four
 * bytes: 32 samples find 28 % of such files, 512 find 99 %. Recordings are examined completely when they are copied,
 * because they are then read as a whole.
 */
const samplesRead = { usual: 32, thorough: 512 } as const;
/** How many pictures are examined instead, which are larger. */
const picturesRead = { usual: 8, thorough: 24 } as const;
/** How many parts are requested at the same time. */
const partsAtOnce = 8;
/** The largest gap between samples that is read with them, because that is as fast as another request. */
const smallGap = 16 * 1024;
const largestPart = 2 ** 20;

interface Sample {
  readonly at: number;
  readonly size: number;
}

interface Part {
  readonly start: number;
  end: number;
  /** `size` may be less than `whole`, the size of the whole sample. */
  readonly samples: (Sample & { readonly check: PictureCheck; readonly whole: number })[];
}

/**
 * Rejects samples of which any byte is outside of the media data; of a stream, such bytes are not even kept.
 * @throws {MediaFault} contradictory
 */
function requireWithin(media: Spans, { clock }: Track, at: number, size: number): void {
  if (media.has(at, size)) return;
  throw contradictory(`has ${clock ? 'sound' : 'pictures'} outside of its media: export it again`);
}

/** The check of a whole sample of any track. */
function checkOf(track: Track): PictureCheck | undefined {
  const check = soundCheckOf(track);
  if (!check) return track.pictureCheck;
  return (sample) => {
    check.head(sample);
    check.all(sample);
  };
}

const sumOf = (tracks: readonly Track[], number: 'bytes' | 'count'): number =>
  tracks.reduce((sum, { table, fragments }) => sum + table[number] + fragments[number], 0);

/**
 * The samples that contain random bytes of the track, and half as many random samples, in the order of the track: a few
 * large samples must not hide many small ones.
 */
function chosenSamples(track: Track, media: Spans, count: number, work: Work): readonly Sample[] {
  const bytes = sumOf([track], 'bytes');
  const draws = Array.from({ length: count }, () => work.random() * bytes).sort((one, other) => one - other);
  const samples = sumOf([track], 'count');
  const numbers = new Set(Array.from({ length: count / 2 }, () => Math.floor(work.random() * samples)));
  const chosen: Sample[] = [];
  let [passed, next, number] = [0, 0, -1];
  visitSamples(
    track,
    (at, size) => {
      requireWithin(media, track, at, size);
      passed += size;
      number += 1;
      if ((draws[next] ?? bytes) >= passed && !numbers.has(number)) return;
      chosen.push({ at, size });
      while ((draws[next] ?? bytes) < passed) next += 1;
    },
    work,
  );
  return chosen;
}

/** Groups samples that are close to each other. */
function partsOf(samples: Part['samples']): readonly Part[] {
  const parts: Part[] = [];
  for (const sample of samples.sort((one, other) => one.at - other.at)) {
    const { at, size } = sample;
    const last = parts.at(-1);
    const isNear = last && at <= last.end + smallGap && at + size <= last.start + largestPart;
    if (!isNear) parts.push({ start: at, end: at + size, samples: [sample] });
    else {
      last.end = Math.max(last.end, at + size);
      last.samples.push(sample);
    }
  }
  return parts;
}

/** Checks an unpredictable choice of samples. @throws {MediaFault} contradictory */
export function* checkSomeSamples(
  tracks: readonly Track[],
  media: Spans,
  { size, isThorough = false, isReadAgain = false }: FileShape & { readonly size: number },
  work: Work,
): Walk<void> {
  const extent = isThorough ? 'thorough' : 'usual';
  const chosen = tracks.flatMap((track) => {
    const check = checkOf(track);
    const count = isReadAgain ? 0 : (track.clock ? samplesRead : picturesRead)[extent];
    const samples = check ? chosenSamples(track, media, count, work) : [];
    const most = track.clock ? Number.POSITIVE_INFINITY : largestExamined;
    return check
      ? samples.map(({ at, size: length }) => ({ at, size: Math.min(length, most), whole: length, check }))
      : [];
  });
  const parts = partsOf(chosen.filter(({ at }) => at < size));
  for (let from = 0; from < parts.length; from += partsAtOnce) {
    const together = parts.slice(from, from + partsAtOnce).map((part) => ({ ...part, end: Math.min(part.end, size) }));
    const [first, last] = [together[0]?.start ?? 0, together.at(-1)?.end ?? 0];
    // Only the data is passed, because functions cannot be sent to another thread.
    const spans = together.map(({ start, end }) => ({ start, end }));
    const bytes = yield { start: first, end: last, isRead: true, parts: spans };
    let partAt = 0;
    for (const { start, end, samples } of together) {
      for (const { at, size: length, whole, check } of samples) {
        const sample = bytes.subarray(
          partAt + at - start,
          Math.min(partAt + at - start + length, partAt + end - start),
        );
        work.visit();
        check(sample, whole);
      }
      partAt += end - start;
    }
  }
}

/** The size of the sample to which a random byte of the sound belongs, on average. */
function usualSize(tracks: readonly Track[], bytes: number, work: Work): number {
  let squares = 0;
  for (const track of tracks) {
    visitSamples(
      track,
      (_, size) => {
        squares += size * size;
      },
      work,
    );
  }
  return squares / bytes;
}

/** Checks all pictures, as far as their bytes were kept. @throws {MediaFault} contradictory, excessive */
function checkAllPictures(track: Track, check: PictureCheck, media: Spans, kept: KeptBytes, work: Work): void {
  visitSamples(
    track,
    (at, size) => {
      requireWithin(media, track, at, size);
      check(kept.read(at, size), size);
    },
    work,
  );
}

/**
 * Checks all samples of a stream, as far as their bytes were kept; refuses too many before the first is read. @throws
 * {MediaFault} contradictory, excessive
 */
export function checkAllSamples(tracks: readonly Track[], media: Spans, kept: KeptBytes, work: Work): void {
  for (const track of tracks) if (track.pictureCheck) checkAllPictures(track, track.pictureCheck, media, kept, work);
  const checked = tracks.filter(soundCheckOf);
  const [samples, bytes] = [sumOf(checked, 'count'), sumOf(checked, 'bytes')];
  work.requireRoom(samples / framesOfElement + elementsToExamine(samples, bytes));
  const usual = bytes > workLimits.examined ? usualSize(checked, bytes, work) : undefined;
  for (const track of checked) {
    const check = soundCheckOf(track);
    visitSamples(
      track,
      (at, size) => {
        requireWithin(media, track, at, size);
        work.visit(1 / framesOfElement);
        const sample = kept.read(at, size);
        check?.head(sample);
        if (work.examines(size, bytes, usual)) check?.all(sample);
      },
      work,
    );
  }
}
