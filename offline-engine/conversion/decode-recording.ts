/** Decodes a recording, optionally with noise removed. */
import { invalidFile } from '../fetch-file.ts';
import { ffmpeg } from '../ffmpeg.ts';
import { WorkFailure } from '../work-failure.ts';
import type { Recording } from './fetch-recording.ts';
import { loudnessOf } from './loudness.ts';
import { samplesPerSecond } from './move-voice.ts';

const limits = { cpuSeconds: 120, fileBytes: 0 };
/** How much of a recording may be missing at its end. */
const toleratedSeconds = 1;
const reductionDb = 24;

const decode = async (format: readonly string[], filters: readonly string[]): Promise<Float32Array> => {
  const chain = filters.length > 0 ? ['-af', filters.join(',')] : [];
  const output = `-ac 1 -ar ${samplesPerSecond} -f f32le pipe:1`.split(' ');
  const bytes = await ffmpeg({ arguments: [...format, '-map', '0:a:0', ...chain, ...output], limits });
  return new Float32Array(new Uint8Array(bytes).buffer, 0, Math.floor(bytes.length / 4));
};

/**
 * The filter is tuned for the noise of rooms and devices, which is louder at low frequencies, and accepts a noise floor
 * of -80 to -20 dB.
 */
const denoising = (noiseDb: number): readonly string[] => {
  const floor = Math.round(Math.min(-20, Math.max(-80, noiseDb + 6)));
  return ['highpass=f=70', `afftdn=nr=${reductionDb}:nf=${floor}:nt=s:tn=1`, 'apad=pad_len=4096'];
};

/** Decodes a recording. @throws {WorkFailure} INPUT_INVALID if it cannot be decoded to the end */
export const decodeRecording = async (recording: Recording, removeNoise: boolean): Promise<Float32Array> => {
  const { path, field, format, seconds, hasVideo } = recording;
  // The recording is truncated to the declared duration, because the rest is not paid for.
  const source = ['-f', format, '-t', String(seconds), '-i', path];
  const sound = await decode(source, []).catch((error: unknown) => {
    if (error instanceof WorkFailure) throw error;
    throw invalidFile(field, 'has sound that cannot be decoded');
  });
  if (sound.length === 0) throw invalidFile(field, 'contains no sound');
  // The audio of a video may end long before its frames.
  const isIncomplete = !hasVideo && sound.length / samplesPerSecond < seconds - toleratedSeconds;
  if (isIncomplete) throw invalidFile(field, 'is incomplete');
  if (!removeNoise) return sound;
  // The audio is padded before filtering and truncated afterwards, because the filter omits its last window.
  return (await decode(source, denoising(loudnessOf(sound).noiseDb))).subarray(0, sound.length);
};
