/** The sound of test mode: the recorded word "test", repeated. */
import { audioFormat } from './audio-format.ts';
import recorded from './spoken-test.json' with { type: 'json' };

const { samplesPerSecond, mp3: format } = audioFormat;

/** The first frames of the audio, in which the recorded word repeats; infra/spoken-test/main.ts recorded it. */
export function spokenFrames(codec: 'mp3' | 'aac', count: number): readonly Uint8Array[] {
  const word = recorded[codec].map((frame) => Buffer.from(frame, 'base64'));
  return Array.from({ length: count }, (_, index) => word[index % word.length] ?? Buffer.of());
}

/** An MP3 file that says the word for as long as asked. */
export const mp3 = (seconds: number): Uint8Array =>
  Buffer.concat(spokenFrames('mp3', Math.max(1, Math.round((seconds * samplesPerSecond) / format.samplesPerFrame))));
