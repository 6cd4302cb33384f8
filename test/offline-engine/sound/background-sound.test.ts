import { expect, test } from 'vitest';
import { backgroundSound } from '../../../offline-engine/sound/background-sound.ts';
import { loudnessOver, mixSounds, type Sound, secondsOfSound } from '../../../offline-engine/sound/sound.ts';

const seconds = 2;

const decibels = (sound: Sound) => 20 * Math.log10(loudnessOver(sound, secondsOfSound(sound))[0] ?? 0);

/** The share of high frequencies. */
const brightness = ({ left }: Sound): number => {
  let changes = 0;
  let strength = 0;
  for (let at = 1; at < left.length; at += 1) {
    changes += ((left[at] ?? 0) - (left[at - 1] ?? 0)) ** 2;
    strength += (left[at] ?? 0) ** 2;
  }
  return Math.sqrt(changes / strength);
};

const descriptions = [
  'vento forte',
  'chuva',
  'ondas do mar',
  'trânsito',
  'motor do carro',
  'cafeteria',
  'multidão',
  'pássaros',
  'aplausos',
  'teclado',
  'fogueira',
  'música animada',
  'silêncio',
];

test.each(descriptions)(
  'the background sound of “%s” is audible, does not clip and has the requested duration',
  (description) => {
    const sound = backgroundSound(description, seconds);
    expect([sound.left.length, sound.right.length]).toEqual([96_000, 96_000]);
    expect(decibels(sound)).toBeGreaterThan(-40);
    expect(sound.left.every((sample) => Math.abs(sample) < 0.95)).toBe(true);
  },
);

test('a background sound is the same for the same description and differs between descriptions', () => {
  const sounds = descriptions.map((description) => backgroundSound(description, seconds).left);
  expect(backgroundSound('chuva', seconds).left).toEqual(sounds[1]);
  for (const [index, sound] of sounds.entries()) {
    for (const other of sounds.slice(index + 1)) expect(sound).not.toEqual(other);
  }
});

test.each([
  ['chuva fina lá fora', 'light rain outside', 'lluvia suave'],
  ['trânsito da cidade', 'city traffic', 'tráfico'],
])('the background sounds of %s, %s and %s are similar, and rain is brighter than traffic', (...named) => {
  const [rain, traffic] = [
    brightness(backgroundSound('rain', seconds)),
    brightness(backgroundSound('traffic', seconds)),
  ];
  const isRain = named.map((description) => {
    const found = brightness(backgroundSound(description, seconds));
    return Math.abs(found - rain) < Math.abs(found - traffic);
  });
  expect(new Set(isRain).size).toBe(1);
  expect(rain).toBeGreaterThan(2 * traffic);
});

test('a sound mix has exactly its duration, and each track its loudness', () => {
  const speech = backgroundSound('chuva', 1);
  const mix = mixSounds(3, [{ sound: speech, startSeconds: 1, loudnessDb: -18 }]);
  expect(secondsOfSound(mix)).toBe(3);
  const [before = 1, during = 0, after = 1] = loudnessOver(mix, 1);
  expect([before, after]).toEqual([0, 0]);
  expect(20 * Math.log10(during)).toBeCloseTo(-18, 0);
});

test('a loud sound mix is limited instead of clipped, and silence stays silent', () => {
  const loud = mixSounds(1, [{ sound: backgroundSound('chuva', 1), loudnessDb: 6 }]);
  expect(loud.left.every((sample) => Math.abs(sample) < 0.95)).toBe(true);
  const silent = { left: new Float32Array(48_000), right: new Float32Array(48_000) };
  expect(mixSounds(1, [{ sound: silent, loudnessDb: -18 }]).left.every((sample) => sample === 0)).toBe(true);
});
