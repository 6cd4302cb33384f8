/** Audio in memory: reads, measures and mixes it. */
import { ffmpeg } from '../ffmpeg.ts';
import type { ChildLimits } from '../run-child.ts';

export const samplesPerSecond = 48_000;

/** Samples of one channel, from -1 to 1. */
export type Sound = Float32Array;

export const silentSound = (seconds: number): Sound => new Float32Array(Math.round(seconds * samplesPerSecond));

export const secondsOfSound = (sound: Sound): number => sound.length / samplesPerSecond;

/** Reads audio from ffmpeg's arguments for an input, and from its stdin if there is one. */
export const readSound = async (
  source: readonly string[],
  {
    filters = 'anull',
    ...rest
  }: { readonly filters?: string; readonly input?: Uint8Array; readonly limits?: ChildLimits } = {},
): Promise<Sound> => {
  const output = `-ar ${samplesPerSecond} -ac 1 -f f32le pipe:1`.split(' ');
  const raw = await ffmpeg({ arguments: [...source, '-af', filters, ...output], ...rest });
  return new Float32Array(new Uint8Array(raw).buffer);
};

/** A chain of tempo filters: older versions of ffmpeg change the tempo by at most a factor of 2 in one filter. */
const tempoFilter = (tempo: number): string => {
  const count = Math.max(1, Math.ceil(Math.log2(tempo)));
  return Array.from({ length: count }, () => `atempo=${Math.max(1, tempo) ** (1 / count)}`).join(',');
};

/** Reads a WAV file of this engine; `tempo` above 1 makes it faster at the same pitch. */
export const readWav = (wav: Uint8Array, tempo = 1): Promise<Sound> =>
  readSound(['-f', 'wav', '-i', 'pipe:0'], { input: wav, ...(tempo > 1 && { filters: tempoFilter(tempo) }) });

export const bytesOfSound = ({ buffer, byteOffset, byteLength }: Sound): Uint8Array =>
  new Uint8Array(buffer as ArrayBuffer, byteOffset, byteLength);

/** The sound after ffmpeg's filters. */
export const filtered = (sound: Sound, filters: string): Promise<Sound> =>
  readSound(`-f f32le -ar ${samplesPerSecond} -ac 1 -i pipe:0`.split(' '), { input: bytesOfSound(sound), filters });

const windowSeconds = 0.05;

/** The loudness (root mean square) of consecutive parts of this duration. */
export const loudnessOver = (sound: Sound, partSeconds: number): readonly number[] => {
  const length = Math.round(partSeconds * samplesPerSecond);
  return Array.from({ length: Math.ceil(sound.length / length) }, (_, part) => {
    const samples = sound.subarray(part * length, (part + 1) * length);
    return Math.sqrt(samples.reduce((sum, sample) => sum + sample ** 2, 0) / samples.length);
  });
};

/** The loudness of the parts that are not nearly silent, in dB below full scale; -Infinity for silence. */
export const activeLoudnessDb = (sound: Sound): number => {
  const parts = loudnessOver(sound, windowSeconds).map((loudness) => loudness ** 2);
  const gate = Math.max(0, ...parts) / 1000;
  const active = parts.filter((power) => power > gate);
  return 10 * Math.log10(active.reduce((sum, power) => sum + power, 0) / active.length || 0);
};

/** Compresses only peaks above 0.7, so that no mix clips. */
const limited = (sample: number): number => {
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
    const end = Math.min(mix.length, start + sound.length);
    for (let at = start; at < end; at += 1) mix[at] = (mix[at] ?? 0) + gain * (sound[at - start] ?? 0);
  }
  return mix.map(limited);
};
