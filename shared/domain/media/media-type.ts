/** The kinds of file that results may be. */
import type { Medium } from '../../contracts/generation.ts';

const extensions: Readonly<Record<Medium, Readonly<Record<string, string>>>> = {
  audio: { 'audio/mpeg': 'mp3' },
  image: { 'image/jpeg': 'jpg', 'image/png': 'png', 'image/webp': 'webp' },
  video: { 'video/mp4': 'mp4' },
};

/** The file extension of a result, or undefined when no operation of the medium makes such a file. */
export const extensionOf = (medium: Medium, contentType: string): string | undefined =>
  extensions[medium][contentType.split(';')[0]?.trim().toLowerCase() ?? ''];
