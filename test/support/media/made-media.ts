/** Correct media files of every format that is measured, created by ffmpeg. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inTemporaryFolder } from '../../../fakes/temporary-folder.ts';
import { ffmpeg } from '../../../offline-engine/ffmpeg.ts';

const picture = ['-f', 'lavfi', '-i', 'testsrc=size=64x48:rate=10'];
const tone = ['-f', 'lavfi', '-i', 'sine=frequency=440'];
const quick = ['-pix_fmt', 'yuv420p', '-preset', 'ultrafast'];

export const mediaSeconds = 6;
const short = ['-t', String(mediaSeconds)];

export const mediaRecipes = {
  'film.mp4': [...picture, ...tone, ...short, ...quick],
  'silent.mp4': [...picture, ...short, ...quick],
  'first.mp4': [...picture, ...tone, ...short, ...quick, '-movflags', 'faststart'],
  'fragments.mp4': [
    ...picture,
    ...tone,
    ...short,
    ...quick,
    '-movflags',
    'frag_keyframe+empty_moov+default_base_moof',
    '-g',
    '10',
  ],
  'hybrid.mp4': [...picture, ...tone, ...short, ...quick, '-movflags', 'frag_keyframe', '-g', '10'],
  'reordered.mp4': [...picture, ...short, '-pix_fmt', 'yuv420p', '-bf', '2'],
  'tone.m4a': [...tone, ...short],
  'low.m4a': [...tone, ...short, '-ar', '24000'],
  'tones.m4a': [...tone, ...tone, '-map', '0', '-map', '1', ...short],
  'lossless.m4a': [...tone, ...short, '-c:a', 'alac'],
  'phone.3gp': [...tone, ...short, '-ar', '8000', '-ac', '1', '-c:a', 'libopencore_amrnb'],
  'film.mov': [...picture, ...tone, ...short, ...quick],
  'lossless.mov': [...tone, ...short, '-c:a', 'alac'],
  'plain.mov': [...tone, ...short, '-c:a', 'pcm_s16le'],
  'film.webm': [...picture, ...tone, ...short],
  'vorbis.webm': [...picture, ...tone, ...short, '-c:v', 'libvpx', '-c:a', 'libvorbis'],
  'live.webm': [...picture, ...tone, ...short, '-f', 'webm', '-live', '1'],
  'tone.webm': [...tone, ...short, '-c:a', 'libopus'],
  'film.mkv': [...picture, ...tone, ...short, ...quick, '-c:a', 'aac'],
  'tone.mka': [...tone, ...short, '-c:a', 'flac'],
  'tone.mp3': [...tone, ...short],
  'variable.mp3': [...tone, ...short, '-q:a', '4'],
  'slow.mp3': [...tone, ...short, '-ar', '16000', '-write_xing', '0'],
  'bare.mp3': [...tone, ...short, '-write_xing', '0'],
  'tone.wav': [...tone, ...short],
  'long.wav': [...tone, ...short, '-rf64', 'always'],
  'opus.ogg': [...tone, ...short, '-c:a', 'libopus'],
  'vorbis.ogg': [...tone, ...short, '-c:a', 'libvorbis'],
  'flac.ogg': [...tone, ...short, '-c:a', 'flac'],
  'low-flac.ogg': [...tone, ...short, '-ar', '8000', '-c:a', 'flac'],
  'speex.ogg': [...tone, ...short, '-ar', '16000', '-c:a', 'libspeex', '-frames_per_packet', '4'],
  'tone.flac': [...tone, ...short],
  'low.flac': [...tone, ...short, '-ar', '8000'],
  'tone.aac': [...tone, ...short],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type MediaName = keyof typeof mediaRecipes;

/** The files, by name; by default all of them. */
export async function makeMedia(
  names = Object.keys(mediaRecipes) as readonly MediaName[],
): Promise<ReadonlyMap<MediaName, Buffer>> {
  return inTemporaryFolder(async (folder) => {
    const files = new Map<MediaName, Buffer>();
    for (const name of names) {
      await ffmpeg({ arguments: [...mediaRecipes[name], '-y', join(folder, name)] });
      files.set(name, await readFile(join(folder, name)));
    }
    return files;
  });
}

/** The duration of the audio that ffmpeg decodes, even if the file declares a false one. */
export async function decodedSeconds(bytes: Buffer, name: string): Promise<number> {
  return inTemporaryFolder(async (folder) => {
    const [given, decoded] = [join(folder, `given-${name}`), join(folder, 'decoded.raw')];
    await writeFile(given, bytes);
    const options = ['-vn', '-ac', '1', '-ar', '8000', '-f', 's16le', '-y', decoded];
    await ffmpeg({ arguments: ['-i', given, ...options] }).catch(() => undefined);
    const { length } = await readFile(decoded).catch(() => Buffer.alloc(0));
    return length / 16_000;
  });
}
