/** Decodes a recording, optionally with noise removed. */
import { invalidFile } from '../fetch-file.ts';
import { loudnessOver, readSound, type Sound, secondsOfSound } from '../sound/sound.ts';
import { WorkFailure } from '../work-failure.ts';
import type { Recording } from './fetch-recording.ts';

const limits = { cpuSeconds: 120, fileBytes: 0 };
/** How much of a recording may be missing at its end. */
const toleratedSeconds = 1;
const reductionDb = 24;

/** The loudness of the noise between the words, in dB below full scale; -Infinity for silence. */
const noiseDbOf = (sound: Sound): number => {
  const parts = loudnessOver(sound, 0.02).filter((loudness) => loudness > 3e-5);
  return 20 * Math.log10(parts.toSorted((one, other) => one - other)[Math.floor(parts.length / 20)] ?? 0);
};

/**
 * The filter is tuned for the noise of rooms and devices, which is louder at low frequencies, and accepts a noise floor
 * of -80 to -20 dB.
 */
const denoising = (noiseDb: number): string => {
  const floor = Math.round(Math.min(-20, Math.max(-80, noiseDb + 6)));
  return `highpass=f=70,afftdn=nr=${reductionDb}:nf=${floor}:nt=s:tn=1,apad=pad_len=4096`;
};

/** Decodes a recording. @throws {WorkFailure} INPUT_INVALID if it cannot be decoded to the end */
export const decodeRecording = async (recording: Recording, removeNoise: boolean): Promise<Sound> => {
  const { path, field, format, seconds, hasVideo } = recording;
  // The recording is truncated to the declared duration, because the rest is not paid for.
  const source = ['-f', format, '-t', String(seconds), '-i', path, '-map', '0:a:0'];
  const sound = await readSound(source, { limits }).catch((error: unknown) => {
    if (error instanceof WorkFailure) throw error;
    throw invalidFile(field, 'has sound that cannot be decoded');
  });
  if (sound.length === 0) throw invalidFile(field, 'contains no sound');
  // The audio of a video may end long before its frames.
  const isIncomplete = !hasVideo && secondsOfSound(sound) < seconds - toleratedSeconds;
  if (isIncomplete) throw invalidFile(field, 'is incomplete');
  if (!removeNoise) return sound;
  // The audio is padded before filtering and truncated afterwards, because the filter omits its last window.
  return (await readSound(source, { filters: denoising(noiseDbOf(sound)), limits })).subarray(0, sound.length);
};
