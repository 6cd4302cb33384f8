import { expect, test } from 'vitest';
import { backgroundSound } from '../../../offline-engine/sound/background-sound.ts';
import { loudnessOver, mixSounds, type Sound, secondsOfSound } from '../../../offline-engine/sound/sound.ts';

const seconds = 2;
const known = new Map<string, Promise<Sound>>();
/** The sounds by description, each synthesized only once. */
const heard = (description: string): Promise<Sound> => {
  const sound = known.get(description) ?? backgroundSound(description, seconds);
  known.set(description, sound);
  return sound;
};

const decibels = (sound: Sound) => 20 * Math.log10(loudnessOver(sound, secondsOfSound(sound))[0] ?? 0);

/** The share of high frequencies in a sound. */
const brightness = (left: Sound): number => {
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
  async (description) => {
    const sound = await heard(description);
    expect(sound.length).toBe(96_000);
    expect(decibels(sound)).toBeGreaterThan(-40);
    expect(sound.every((sample) => Math.abs(sample) < 0.95)).toBe(true);
  },
);

test('a background sound is the same for the same description and different for another description', async () => {
  const sounds = await Promise.all(descriptions.map(heard));
  expect(await backgroundSound('chuva', seconds)).toEqual(sounds[1]);
  for (const [index, sound] of sounds.entries()) {
    for (const other of sounds.slice(index + 1)) expect(sound).not.toEqual(other);
  }
});

test.each([
  ['chuva fina lá fora', 'light rain outside', 'lluvia suave'],
  ['trânsito da cidade', 'city traffic', 'tráfico'],
])(
  'the descriptions “%s”, “%s” and “%s” give similar background sounds, and rain is brighter than traffic',
  async (...named) => {
    const brightnessOf = async (description: string) => brightness(await heard(description));
    const [rain, traffic] = [await brightnessOf('rain'), await brightnessOf('traffic')];
    const found = await Promise.all(named.map(brightnessOf));
    const isRain = found.map((value) => Math.abs(value - rain) < Math.abs(value - traffic));
    expect(new Set(isRain).size).toBe(1);
    expect(rain).toBeGreaterThan(2 * traffic);
  },
);

test('a sound mix has exactly the requested duration, and each track its requested loudness', async () => {
  const speech = await backgroundSound('chuva', 1);
  const mix = mixSounds(3, [{ sound: speech, startSeconds: 1, loudnessDb: -18 }]);
  expect(secondsOfSound(mix)).toBe(3);
  const [before = 1, during = 0, after = 1] = loudnessOver(mix, 1);
  expect([before, after]).toEqual([0, 0]);
  expect(20 * Math.log10(during)).toBeCloseTo(-18, 0);
});

test('a loud sound mix is limited instead of clipped, and silence stays silent', async () => {
  const loud = mixSounds(1, [{ sound: await backgroundSound('chuva', 1), loudnessDb: 6 }]);
  expect(loud.every((sample) => Math.abs(sample) < 0.95)).toBe(true);
  expect(mixSounds(1, [{ sound: new Float32Array(48_000), loudnessDb: -18 }]).every((sample) => sample === 0)).toBe(
    true,
  );
});

test('a description with a million combining characters is read only at its beginning', async () => {
  const crowded = `chuva ${'\u0315'.repeat(500_000)}${'\u0321'.repeat(500_000)}`;
  expect(secondsOfSound(await heard(crowded))).toBe(seconds);
});
