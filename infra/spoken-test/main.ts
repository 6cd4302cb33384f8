/**
 * Records the word that the audio of test mode says, as audio frames that can be repeated and cut anywhere. To run it:
 * `npx node infra/spoken-test/main.ts`.
 */
import { writeFileSync } from 'node:fs';
import { ffmpeg } from '../../offline-engine/ffmpeg.ts';
import { espeak } from '../../offline-engine/speech/espeak.ts';
import { namedPersona } from '../../offline-engine/speech/persona.ts';
import { personaVariant } from '../../offline-engine/speech/persona-variant.ts';
import { audioFormat } from '../../shared/engines/test-mode/media/audio-format.ts';

const { samplesPerSecond, mp3, aac } = audioFormat;

/** The duration of the word with the pause after it. */
const seconds = 1.2;

async function encode(wav: Uint8Array, encoding: string): Promise<Buffer> {
  const padded = `aresample=${samplesPerSecond},apad=whole_len=${seconds * samplesPerSecond}`;
  const format = `-ac 1 ${encoding} pipe:1`.split(' ');
  return ffmpeg({ arguments: ['-f', 'wav', '-i', 'pipe:0', '-af', padded, ...format], input: wav });
}

/** The frames of an MP3 file with a constant rate, all of the same size. */
function mp3Frames(file: Buffer): Buffer[] {
  const size = (mp3.samplesPerFrame / 8) * (mp3.bitsPerSecond / samplesPerSecond);
  return Array.from({ length: Math.floor(file.length / size) }, (_, index) =>
    file.subarray(index * size, (index + 1) * size),
  );
}

/** The frames of an ADTS file, without their headers. */
function aacFrames(file: Buffer): Buffer[] {
  const frames: Buffer[] = [];
  const headerBytes = 7;
  for (let at = 0; at < file.length; ) {
    const length = (file.readUIntBE(at + 3, 3) >> 5) & 0x1fff;
    frames.push(file.subarray(at + headerBytes, at + length));
    at += length;
  }
  return frames;
}

const wav = await espeak({
  language: 'en',
  text: 'test',
  ...personaVariant(namedPersona('sarah'), { stability: 0.5, similarityBoost: 0.75 }),
});
const recorded = {
  mp3: mp3Frames(
    await encode(wav, `-c:a libmp3lame -b:a ${mp3.bitsPerSecond} -reservoir 0 -write_xing 0 -id3v2_version 0 -f mp3`),
  ),
  aac: aacFrames(await encode(wav, `-c:a aac -b:a ${aac.bitsPerSecond} -f adts`)),
};
const frames = Object.fromEntries(
  Object.entries(recorded).map(([format, list]) => [format, list.map((frame) => frame.toString('base64'))]),
);
const path = new URL('../../shared/engines/test-mode/media/spoken-test.json', import.meta.url);
writeFileSync(path, `${JSON.stringify(frames, null, 2)}\n`);
