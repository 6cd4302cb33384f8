/** Audio in memory: reads, measures and mixes it. */
import { ffmpeg } from '../ffmpeg.ts';

export const samplesPerSecond = 48_000;

/** Two channels of equal length, with samples from -1 to 1. */
export interface Sound {
  readonly left: Float32Array;
  readonly right: Float32Array;
}

export const silentSound = (seconds: number): Sound => {
  const length = Math.round(seconds * samplesPerSecond);
  return { left: new Float32Array(length), right: new Float32Array(length) };
};

export const secondsOfSound = ({ left }: Sound): number => left.length / samplesPerSecond;

/** A chain of filters, because each changes the tempo by at most a factor of 2. */
const tempoFilter = (tempo: number): readonly string[] => {
  if (tempo <= 1) return [];
  const count = Math.ceil(Math.log2(tempo));
  return ['-af', Array.from({ length: count }, () => `atempo=${tempo ** (1 / count)}`).join(',')];
};

/** Reads a WAV file of this engine; `tempo` above 1 makes it faster at the same pitch. */
export const readWav = async (wav: Uint8Array, tempo = 1): Promise<Sound> => {
  const raw = await ffmpeg({
    arguments: [
      '-f',
      'wav',
      '-i',
      'pipe:0',
      ...tempoFilter(tempo),
      ...`-ar ${samplesPerSecond} -ac 1 -f f32le pipe:1`.split(' '),
    ],
    input: wav,
  });
  const channel = new Float32Array(new Uint8Array(raw).buffer);
  return { left: channel, right: channel };
};

/** The channels' samples interleaved, as bytes. */
export const interleaved = ({ left, right }: Sound): Uint8Array => {
  const samples = new Float32Array(left.length * 2);
  for (let at = 0; at < left.length; at += 1) {
    samples[2 * at] = left[at] ?? 0;
    samples[2 * at + 1] = right[at] ?? 0;
  }
  return new Uint8Array(samples.buffer);
};

const windowSeconds = 0.05;

/** The loudness (root mean square) of consecutive parts of this duration. */
export const loudnessOver = ({ left, right }: Sound, partSeconds: number): readonly number[] => {
  const length = Math.round(partSeconds * samplesPerSecond);
  return Array.from({ length: Math.ceil(left.length / length) }, (_, part) => {
    const [from, to] = [part * length, Math.min(left.length, (part + 1) * length)];
    let sum = 0;
    for (let at = from; at < to; at += 1) sum += (left[at] ?? 0) ** 2 + (right[at] ?? 0) ** 2;
    return Math.sqrt(sum / 2 / (to - from));
  });
};

/** The loudness of the parts that are not nearly silent, in dB below full scale; -Infinity for silence. */
const activeLoudnessDb = (sound: Sound): number => {
  const parts = loudnessOver(sound, windowSeconds).map((loudness) => loudness ** 2);
  const gate = Math.max(0, ...parts) / 1000;
  const active = parts.filter((power) => power > gate);
  return 10 * Math.log10(active.reduce((sum, power) => sum + power, 0) / active.length || 0);
};

/** Compresses only peaks above 0.7, so that no mix clips. */
export const limited = (sample: number): number => {
  const size = Math.abs(sample);
  return size <= 0.7 ? sample : Math.sign(sample) * (0.7 + 0.22 * Math.tanh((size - 0.7) / 0.22));
};

export interface Track {
  readonly sound: Sound;
  readonly startSeconds?: number;
  /** The loudness of the track's parts that are not silent. */
  readonly loudnessDb: number;
}

/** Mixes tracks to exactly this duration; longer ones are truncated. */
export const mixSounds = (seconds: number, tracks: readonly Track[]): Sound => {
  const mix = silentSound(seconds);
  for (const { sound, startSeconds = 0, loudnessDb } of tracks) {
    const current = activeLoudnessDb(sound);
    const gain = Number.isFinite(current) ? 10 ** ((loudnessDb - current) / 20) : 0;
    const start = Math.round(startSeconds * samplesPerSecond);
    const end = Math.min(mix.left.length, start + sound.left.length);
    for (let at = start; at < end; at += 1) {
      mix.left[at] = (mix.left[at] ?? 0) + gain * (sound.left[at - start] ?? 0);
      mix.right[at] = (mix.right[at] ?? 0) + gain * (sound.right[at - start] ?? 0);
    }
  }
  return { left: mix.left.map(limited), right: mix.right.map(limited) };
};
