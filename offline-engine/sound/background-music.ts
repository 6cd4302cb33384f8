/** Quiet background music: four chords with plucked notes above them. */
import type { SeededRandom } from '../image/seeded-random.ts';
import { addTone } from './noise.ts';
import { type Sound, silentSound } from './sound.ts';

type Chord = readonly [number, number, number];
type Progression = readonly [Chord, Chord, Chord, Chord];

/** The chords in semitones above the key. */
const progressions: readonly [Progression, ...Progression[]] = [
  [
    [0, 4, 7],
    [7, 11, 14],
    [9, 12, 16],
    [5, 9, 12],
  ],
  [
    [9, 12, 16],
    [5, 9, 12],
    [0, 4, 7],
    [7, 11, 14],
  ],
  [
    [0, 4, 7],
    [9, 12, 16],
    [5, 9, 12],
    [7, 11, 14],
  ],
];

const lowest = 130.81;
const hertzOf = (semitones: number) => lowest * 2 ** (semitones / 12);

export const backgroundMusic = (seconds: number, random: SeededRandom): Sound => {
  const sound = silentSound(seconds);
  const progression = random.pick(progressions);
  const key = Math.floor(random.between(0, 7));
  const beatSeconds = 60 / random.between(84, 108);
  for (let beat = 0; beat * beatSeconds < seconds; beat += 1) {
    const chord = progression[Math.floor(beat / 4) % progression.length] ?? progression[0];
    const startSeconds = beat * beatSeconds;
    if (beat % 4 === 0) {
      for (const [index, note] of chord.entries()) {
        const tone = { startSeconds, seconds: beatSeconds * 4.4, attack: 0.18 };
        addTone(sound, { ...tone, hertz: hertzOf(key + note), loudness: 0.16, side: 0.3 + 0.2 * index });
        addTone(sound, { ...tone, hertz: hertzOf(key + note) * 1.003, loudness: 0.1, side: 0.7 - 0.2 * index });
      }
      addTone(sound, {
        startSeconds,
        seconds: beatSeconds * 2,
        hertz: hertzOf(key + chord[0] - 12),
        loudness: 0.2,
        side: 0.5,
      });
    }
    for (const half of [0, 0.5]) {
      const note = random.pick(chord) + (random.next() < 0.6 ? 12 : 24);
      const at = startSeconds + half * beatSeconds;
      const tone = { startSeconds: at, seconds: 0.6, side: random.between(0.25, 0.75), attack: 0.02 };
      addTone(sound, { ...tone, hertz: hertzOf(key + note), loudness: 0.12 });
      addTone(sound, { ...tone, hertz: 2 * hertzOf(key + note), loudness: 0.03 });
    }
  }
  return sound;
};
