/** Captions from transcripts of any kind, parsed as a player would parse them. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canBeCaptioned, captionCues, srtOf } from '../../../shared/domain/clips/captions.ts';

interface Word {
  readonly text: string;
  readonly startSec: number;
  readonly endSec: number;
}

interface ReadCue {
  readonly startSec: number;
  readonly endSec: number;
  readonly lines: readonly string[];
}

const secondsIn = (timestamp: string): number => {
  const [, hours, minutes, seconds, ms] = /^(\d\d):([0-5]\d):([0-5]\d),(\d{3})$/.exec(timestamp) ?? [];
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds) + Number(ms) / 1000;
};

/** The cues of a SubRip file, after checking its numbers and blank lines. */
const readSrt = (srt: string): readonly ReadCue[] =>
  srt === ''
    ? []
    : srt
        .replace(/\n$/, '')
        .split('\n\n')
        .map((block, index) => {
          const [number, times = '', ...lines] = block.split('\n');
          expect(number).toBe(String(index + 1));
          const [start = '', end = ''] = times.split(' --> ');
          return { startSec: secondsIn(start), endSec: secondsIn(end), lines };
        });

const clip = { startSec: 60, endSec: 100 };
const cuesOf = (words: readonly Word[]) => readSrt(srtOf(captionCues(words, clip)));

/** Properties that hold for every transcript, however wrong. */
const requireReadable = (cues: readonly ReadCue[]) => {
  let last = clip.startSec;
  for (const { startSec, endSec, lines } of cues) {
    expect(startSec).toBeGreaterThanOrEqual(last);
    expect(endSec).toBeGreaterThan(startSec);
    expect(endSec).toBeLessThanOrEqual(clip.endSec);
    expect([1, 2]).toContain(lines.length);
    for (const line of lines) {
      expect(Array.from(line).length).toBeLessThanOrEqual(24);
      expect(line).toMatch(/^[^<>{}\\\p{Cc}]+$/u);
    }
    last = endSec;
  }
};

const text = fc.oneof(
  fc.constantFrom('um', 'farol', 'Olá,', 'sim.', 'inconstitucionalissimamente', 'o', 'mar!', '大', '海', '灯台。'),
  fc.string({ minLength: 1, maxLength: 12, unit: fc.constantFrom('a', 'b', 'é', '7') }),
);

/** Speech with pauses of up to two seconds, in milliseconds. */
const speech = fc
  .array(fc.record({ text, pauseMs: fc.nat({ max: 2000 }), lengthMs: fc.integer({ min: 60, max: 900 }) }), {
    maxLength: 80,
  })
  .map((spoken) => {
    let now = 58_000;
    return spoken.map(({ text, pauseMs, lengthMs }) => {
      const startMs = now + pauseMs;
      now = startMs + lengthMs;
      return { text, startSec: startMs / 1000, endSec: now / 1000 };
    });
  });

const anyTime = fc.double({ min: 0, max: 200, noNaN: true });
const nonsense = fc.array(
  fc.record({
    text: fc.oneof(
      text,
      fc.string({ unit: 'binary' }),
      fc.constantFrom('<b>', '{\\an8}', '\n\n7\n00:00:00,000 --> 00:00:09,000\n', 'x'.repeat(200)),
    ),
    startSec: anyTime,
    endSec: anyTime,
  }),
  { maxLength: 40 },
);

const letters = (words: readonly { readonly text: string }[]) =>
  words.map(({ text }) => text.replaceAll(' ', '')).join('');

describe('the captions of a clip', () => {
  test('show each word once, in order, while it is spoken', () => {
    fc.assert(
      fc.property(speech, (words) => {
        const cues = cuesOf(words);
        requireReadable(cues);
        const said = words.filter((word) => {
          const middle = (word.startSec + word.endSec) / 2;
          return middle >= clip.startSec && middle < clip.endSec;
        });
        expect(letters(cues.map(({ lines }) => ({ text: lines.join('') })))).toBe(letters(said));
        const cueByLetter = cues.flatMap((cue) => Array.from(cue.lines.join('').replaceAll(' ', ''), () => cue));
        let seen = 0;
        for (const word of said) {
          const letterCount = Array.from(word.text).length;
          for (const { startSec, endSec } of cueByLetter.slice(seen, seen + letterCount)) {
            expect(startSec).toBeLessThanOrEqual(Math.max(clip.startSec, word.startSec) + 0.001);
            expect(endSec).toBeGreaterThanOrEqual(Math.min(clip.endSec, word.endSec) - 0.001);
          }
          seen += letterCount;
        }
      }),
    );
  });

  test('never overlap, leave the clip, exceed two short lines or contain markup, whatever the transcript says', () => {
    fc.assert(fc.property(nonsense, (words) => requireReadable(cuesOf(words))));
  });

  test('break at the ends of sentences, at pauses and before a third line', () => {
    const words = 'O farol apaga. Agora o mar escuro engole devagarinho toda a velha cidade… Fim'
      .split(' ')
      .map((text, index) => ({ text, startSec: 61 + index * 0.4, endSec: 61.3 + index * 0.4 }));
    expect(cuesOf([...words, { text: 'mesmo', startSec: 67.3, endSec: 67.8 }])).toEqual([
      { startSec: 61, endSec: 62.2, lines: ['O farol apaga.'] },
      { startSec: 62.2, endSec: 65, lines: ['Agora o mar escuro', 'engole devagarinho toda'] },
      { startSec: 65, endSec: 66.2, lines: ['a velha cidade…'] },
      { startSec: 66.2, endSec: 66.8, lines: ['Fim'] },
      { startSec: 67.3, endSec: 68.1, lines: ['mesmo'] },
    ]);
  });

  test('have no spaces between words in writing systems without them', () => {
    const words = Array.from('大海灯台', (text, index) => ({ text, startSec: 61 + index, endSec: 61.9 + index }));
    expect(cuesOf(words)).toMatchObject([{ lines: ['大海灯台'] }]);
  });
});

describe('a transcript', () => {
  const words = (count: number, everySec: number, lengthSec: number) =>
    Array.from({ length: count }, (_, index) => ({
      text: 'mar',
      startSec: 60 + index * everySec,
      endSec: 60 + index * everySec + lengthSec,
    }));

  test.for([
    ['can be shown as captions if it is fast speech', words(100, 0.2, 0.2), true],
    ['cannot be shown as captions if it has too few words', words(2, 1, 0.5), false],
    ['cannot be shown as captions if its words come faster than speech', words(300, 0.1, 0.1), false],
    ['cannot be shown as captions if its words have no durations', words(20, 1, 0), false],
    [
      'cannot be shown as captions if its words are outside the clip',
      words(20, 1, 0.5).map((word) => ({ ...word, startSec: 0, endSec: 1 })),
      false,
    ],
  ] as const)('%s', ([, spoken, expected]) => {
    expect(canBeCaptioned(spoken, clip)).toBe(expected);
  });
});
