/** Synthesizes background sounds from a description: the sounds that it names in Portuguese, English or Spanish. */
import { type SeededRandom, seededRandom } from '../image/seeded-random.ts';
import { sway } from '../video/motion.ts';
import { backgroundMusic } from './background-music.ts';
import { addTone, highPass, lowPass, shaped, stereo, whiteNoise, withBursts } from './noise.ts';
import { mixSounds, type Sound, silentSound } from './sound.ts';

type Synthesizer = (seconds: number, random: SeededRandom, seed: string) => Sound;

const wind: Synthesizer = (seconds, random, seed) => {
  const gusts = sway(seed, 0.25);
  return stereo(seconds, (length) =>
    shaped(lowPass(lowPass(highPass(whiteNoise(length, random), 120), 480), 900), (at) => 0.65 + 0.35 * gusts(at)),
  );
};

const rain: Synthesizer = (seconds, random) =>
  mixSounds(seconds, [
    { sound: stereo(seconds, (length) => highPass(lowPass(whiteNoise(length, random), 7000), 900)), loudnessDb: -20 },
    { sound: withBursts(seconds, random, { perSecond: 90, burstSeconds: 0.012, loudness: 0.5 }), loudnessDb: -17 },
  ]);

const waves: Synthesizer = (seconds, random) =>
  stereo(seconds, (length) =>
    shaped(lowPass(whiteNoise(length, random), 1100), (at) => 0.12 + Math.sin(Math.PI * at * 0.17 + 0.4) ** 4),
  );

const traffic: Synthesizer = (seconds, random) => {
  const passing = stereo(seconds, (length) => lowPass(whiteNoise(length, random), 420));
  const [first, second] = [random.between(0.1, 0.4) * seconds, random.between(0.6, 0.9) * seconds];
  const near = (at: number, time: number) => 1 / (1 + ((at - time) / 0.7) ** 2);
  shaped(passing.left, (at) => 0.3 + near(at, first) + 0.4 * near(at, second));
  shaped(passing.right, (at) => 0.3 + 0.4 * near(at, first) + near(at, second));
  return passing;
};

const engine: Synthesizer = (seconds, random, seed) => {
  const sound = stereo(seconds, (length) => lowPass(whiteNoise(length, random), 160));
  const load = sway(seed, 0.4);
  for (const channel of [sound.left, sound.right]) shaped(channel, (at) => 1.6 + 0.3 * load(at));
  for (const [order, loudness] of [1, 0.6, 0.4].entries()) {
    const hertz = 43 * (order + 1);
    addTone(sound, { startSeconds: 0, seconds: seconds * 1.2, hertz, loudness: loudness * 0.12, side: 0.5, attack: 0 });
  }
  return sound;
};

/** Many voices at once sound like noise in the range of speech that swells with the syllables. */
const crowd: Synthesizer = (seconds, random, seed) =>
  mixSounds(
    seconds,
    [0, 1, 2, 3, 4].map((voice) => {
      const syllables = sway(`${seed}${voice}`, 3.4);
      const pitch = random.between(350, 1100);
      const sound = stereo(seconds, (length) =>
        shaped(lowPass(lowPass(highPass(whiteNoise(length, random), pitch * 0.6), pitch), pitch * 1.4), (at) =>
          Math.max(0, 0.35 + 0.65 * syllables(at)),
        ),
      );
      return { sound, loudnessDb: -24 };
    }),
  );

const cafe: Synthesizer = (seconds, random, seed) => {
  const clinks = silentSound(seconds);
  for (let count = 0; count < seconds * 1.4; count += 1) {
    const hertz = random.between(2400, 5200);
    const tone = { startSeconds: random.between(0, seconds), seconds: 0.22, side: random.next(), attack: 0.01 };
    addTone(clinks, { ...tone, hertz, loudness: 0.3 });
    addTone(clinks, { ...tone, hertz: hertz * 1.51, loudness: 0.16 });
  }
  return mixSounds(seconds, [
    { sound: crowd(seconds, random, seed), loudnessDb: -20 },
    { sound: clinks, loudnessDb: -30 },
  ]);
};

const birds: Synthesizer = (seconds, random, seed) => {
  const song = silentSound(seconds);
  for (let at = 0.2; at < seconds; at += random.between(0.5, 1.2)) {
    const [hertz, side, notes] = [random.between(2300, 4200), random.next(), Math.ceil(random.between(1, 4))];
    for (let note = 0; note < notes; note += 1) {
      const endHertz = hertz * random.between(0.8, 1.35);
      addTone(song, {
        startSeconds: at + note * 0.13,
        seconds: 0.1,
        hertz,
        endHertz,
        loudness: 0.3,
        side,
        attack: 0.3,
      });
    }
  }
  return mixSounds(seconds, [
    { sound: song, loudnessDb: -20 },
    { sound: wind(seconds, random, seed), loudnessDb: -34 },
  ]);
};

const applause: Synthesizer = (seconds, random) =>
  withBursts(seconds, random, { perSecond: 160, burstSeconds: 0.03, loudness: 0.5 });

const clicks: Synthesizer = (seconds, random) =>
  withBursts(seconds, random, { perSecond: 6, burstSeconds: 0.014, loudness: 0.6 });

const crackle: Synthesizer = (seconds, random, seed) =>
  mixSounds(seconds, [
    { sound: withBursts(seconds, random, { perSecond: 14, burstSeconds: 0.008, loudness: 0.8 }), loudnessDb: -18 },
    { sound: wind(seconds, random, seed), loudnessDb: -26 },
  ]);

/** The sound of a quiet room. */
const room: Synthesizer = (seconds, random) =>
  stereo(seconds, (length) => lowPass(lowPass(whiteNoise(length, random), 600), 2500));

interface Kind {
  readonly words: RegExp;
  readonly synthesize: Synthesizer;
}

/** Word prefixes without accents. */
const kinds: readonly Kind[] = [
  { words: /\b(vento|wind|viento|brisa|breeze)/, synthesize: wind },
  { words: /\b(chuva|chove|rain|lluvia|tempestade|storm|chuveiro|shower|ducha|agua|water)/, synthesize: rain },
  { words: /\b(mar\b|ondas?\b|praia|sea\b|ocean|waves?\b|beach|playa|olas?\b)/, synthesize: waves },
  { words: /\b(transito|trafego|traffic|trafico|rua|street|calle|cidade|city|ciudad|urban)/, synthesize: traffic },
  { words: /\b(motor|engine|carros?\b|cars?\b|coches?\b|onibus|moto)/, synthesize: engine },
  { words: /\b(cafe|cafeteria|restaurante?|bar\b|kitchen|cozinha|cocina)/, synthesize: cafe },
  {
    words: /\b(pessoas|multidao|gente|vozes|conversa|people|crowd|voices|chatter|murmur|festa|party|shopping|loja)/,
    synthesize: crowd,
  },
  {
    words: /\b(passar|bird|pajar|natureza|nature|naturaleza|floresta|forest|bosque|parque|park|jardim|garden)/,
    synthesize: birds,
  },
  { words: /\b(aplauso|palmas|applause|clapping)/, synthesize: applause },
  { words: /\b(teclado|typing|keyboard|cliques?\b|clicks?\b|escritorio|office|oficina)/, synthesize: clicks },
  { words: /\b(fogo|fogueira|lareira|fire|fuego|chimenea)/, synthesize: crackle },
  {
    words: /\b(musica|music|violao|guitar|piano|trilha|batida|beat|lo-?fi|jazz|samba|bossa|pop|melod)/,
    synthesize: backgroundMusic,
  },
];

const mostKinds = 3;

/** The background sound, the same for the same description; a quiet room if it names no known sound. */
export const backgroundSound = (description: string, seconds: number): Sound => {
  const plain = description.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
  const named = kinds.filter(({ words }) => words.test(plain)).slice(0, mostKinds);
  const chosen = named.length > 0 ? named.map(({ synthesize }) => synthesize) : [room];
  return mixSounds(
    seconds,
    chosen.map((synthesize, index) => {
      const seed = `${plain}${index}`;
      return { sound: synthesize(seconds, seededRandom(seed), seed), loudnessDb: -22 };
    }),
  );
};
