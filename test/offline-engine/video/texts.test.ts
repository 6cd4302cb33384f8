import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { readCues, spokenCues } from '../../../offline-engine/video/texts.ts';

const line = 'Gente, olha que café incrível! Eu tomo todo dia.';

test('captions of speech show every word once, a few at a time, from the beginning of the speech to its end', () => {
  const cues = spokenCues(line, 0.5, 6);
  expect(cues.map(({ text }) => text)).toEqual(['Gente,', 'olha que café', 'incrível!', 'Eu tomo todo', 'dia.']);
  expect(cues.map(({ startSeconds }) => startSeconds).slice(1)).toEqual(
    cues.map(({ endSeconds }) => endSeconds).slice(0, -1),
  );
  expect([cues[0]?.startSeconds, cues.at(-1)?.endSeconds]).toEqual([0.5, 6.5]);
});

test('captions of speech are shown longer if their words take longer to speak', () => {
  const [short, long, digits] = spokenCues('sol, extraordinariamente, 1234567.', 0, 9).map(
    ({ startSeconds, endSeconds }) => endSeconds - startSeconds,
  );
  expect(long).toBeGreaterThan(2 * (short ?? 9));
  expect(digits).toBeGreaterThan(long ?? 9);
});

test.each(['!', '...', '😀', '7', 'a'.repeat(90), 'um '.repeat(30).trim()])(
  'captions of the text %j end with its speech',
  (text) => {
    const cues = spokenCues(text, 1, 2);
    expect(cues.map((cue) => cue.text).join(' ')).toBe(text);
    expect(cues.at(-1)?.endSeconds).toBe(3);
    expect(cues.every(({ startSeconds, endSeconds }) => startSeconds >= 1 && endSeconds >= startSeconds)).toBe(true);
  },
);

test('a prompt in a video is shown completely and in order, in parts that fit into the frame and can be read in time', () => {
  const words = fc.array(fc.stringMatching(/^[a-zçã,.]{1,12}$/), { minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(words, fc.integer({ min: 12, max: 80 }), fc.integer({ min: 3, max: 10 }), (given, fitting, seconds) => {
      const cues = readCues(given.join('  '), fitting, 0.2, seconds);
      expect(cues.map(({ text }) => text).join(' ')).toBe(given.join(' '));
      for (const { text } of cues.slice(0, -1)) expect(text.length).toBeLessThanOrEqual(fitting);
      for (const { startSeconds, endSeconds } of cues) expect(endSeconds - startSeconds).toBeGreaterThanOrEqual(1.599);
    }),
  );
  expect(readCues('Um farol ao amanhecer', 20, 0, 4).map(({ text }) => text)).toEqual(['Um farol ao', 'amanhecer']);
});
