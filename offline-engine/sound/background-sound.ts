/** Synthesizes music, and the background sounds that a description names in Portuguese, English or Spanish. */
import { mixSounds, readSound, type Sound } from './sound.ts';

const noise = (color: 'white' | 'pink' | 'brown', filters: string) =>
  `anoisesrc=c=${color}:a=0.5:r=48000:seed=7,${filters}`;
const wave = (expression: string, filters = 'anull') => `aevalsrc='${expression}':s=48000,${filters}`;

/** The roots of four chords, two seconds each, in semitones above the key, with plucked notes above them. */
const music = (key: number): string => {
  const root = 'st(0,mod(floor(t/2),4));st(1,if(eq(ld(0),0),0,if(eq(ld(0),1),7,if(eq(ld(0),2),9,5))))';
  const plucked = 'st(2,ld(1)+if(mod(floor(4*t),2),7,12)+12*mod(floor(t*4/3),2))';
  const hertz = (semitones: string) => `130.81*pow(2,(${semitones}+${key})/12)`;
  const pad = ['ld(1)-12', 'ld(1)', 'ld(1)+7'].map((note) => `0.1*sin(2*PI*${hertz(note)}*t)`).join('+');
  const pluck = `0.15*exp(-6*mod(t,0.25))*sin(2*PI*${hertz('ld(2)')}*t)`;
  return wave(`${root};${plucked};(${pad})*(0.6+0.4*exp(-2*mod(t,2)))+${pluck}`, 'lowpass=f=4000');
};

/**
 * The sound for each prefix of a word, without accents. The rate of a tremolo must divide the sample rate, because
 * older versions of ffmpeg crash otherwise.
 */
const kinds: readonly (readonly [words: RegExp, source: string])[] = [
  [/\b(vento|wind|viento|brisa|breeze)/, noise('pink', 'highpass=f=120,lowpass=f=480,tremolo=f=0.25:d=0.5')],
  [
    /\b(chuva|chove|rain|lluvia|tempestade|storm|chuveiro|shower|ducha|agua|water)/,
    noise('white', 'highpass=f=900,lowpass=f=7000'),
  ],
  [
    /\b(mar\b|ondas?\b|praia|sea\b|ocean|waves?\b|beach|playa|olas?\b)/,
    noise('white', 'lowpass=f=1100,tremolo=f=0.15:d=0.8'),
  ],
  [
    /\b(transito|trafego|traffic|trafico|rua|street|calle|cidade|city|ciudad|urban)/,
    noise('brown', 'lowpass=f=420,tremolo=f=0.3:d=0.4'),
  ],
  [
    /\b(motor|engine|carros?\b|cars?\b|coches?\b|onibus|moto)/,
    wave('0.3*sin(270*t)+0.2*sin(540*t)+0.15*sin(810*t)+0.1*(random(0)-0.5)', 'lowpass=f=400'),
  ],
  [
    /\b(cafe|cafeteria|restaurante?|bar\b|kitchen|cozinha|cocina)/,
    wave(
      '0.5*(random(0)-0.5)*(0.6+0.3*sin(21*t)*sin(5*t))+0.04*sin(19500*t)*exp(-18*mod(t,0.73))',
      'highpass=f=300,lowpass=f=3500',
    ),
  ],
  [
    /\b(pessoas|multidao|gente|vozes|conversa|people|crowd|voices|chatter|murmur|festa|party|shopping|loja)/,
    noise('pink', 'highpass=f=350,lowpass=f=1300,tremolo=f=3.2:d=0.6'),
  ],
  [
    /\b(passar|bird|pajar|natureza|nature|naturaleza|floresta|forest|bosque|parque|park|jardim|garden)/,
    wave('0.3*sin(19000*t+40*sin(19*t))*gt(sin(5*t)*sin(1.7*t),0.2)+0.02*(random(0)-0.5)'),
  ],
  [/\b(aplauso|palmas|applause|clapping)/, noise('white', 'highpass=f=700,tremolo=f=16:d=0.9')],
  [
    /\b(teclado|typing|keyboard|cliques?\b|clicks?\b|escritorio|office|oficina)/,
    wave('(random(0)-0.5)*exp(-90*mod(t,0.17))+0.01*(random(1)-0.5)'),
  ],
  [
    /\b(fogo|fogueira|lareira|fire|fuego|chimenea)/,
    wave('(random(0)-0.5)*exp(-70*mod(t+0.2*sin(3*t),0.11))+0.1*(random(1)-0.5)', 'lowpass=f=3000'),
  ],
  [/\b(musica|music|violao|guitar|piano|trilha|batida|beat|lo-?fi|jazz|samba|bossa|pop|melod)/, music(0)],
];
const room = noise('brown', 'lowpass=f=600');
const maxKinds = 3;

const synthesized = (source: string, seconds: number): Promise<Sound> =>
  readSound(['-f', 'lavfi', '-t', String(seconds), '-i', source]);

/** Quiet music; `seed` determines its key. */
export const backgroundMusic = (seed: string, seconds: number): Promise<Sound> =>
  synthesized(music(Array.from(seed).length % 7), seconds);

/** How much of a description is read: requests limit it only by their size, and normalization can take quadratic time. */
const maxRead = 2000;

/** The background sound, the same for the same description; a quiet room if it names no known sound. */
export const backgroundSound = async (description: string, seconds: number): Promise<Sound> => {
  const plain = description.slice(0, maxRead).normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
  const named = kinds.filter(([words]) => words.test(plain)).slice(0, maxKinds);
  const sources = named.length > 0 ? named.map(([, source]) => source) : [room];
  const sounds = await Promise.all(sources.map((source) => synthesized(source, seconds)));
  return mixSounds(
    seconds,
    sounds.map((sound) => ({ sound, loudnessDb: -22 })),
  );
};
