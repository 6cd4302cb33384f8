/** What accounts may upload: media types, maximum sizes, how an upload is sent, and the URL it gets. */
import { inputLimits, type MediaKind, type MediaType, mediaTypes } from './media.ts';

const megabyte = 2 ** 20;

export const uploadTypes = Object.keys(mediaTypes) as [MediaType, ...MediaType[]];

/** The largest upload of each kind, in bytes. */
export const uploadBytes = {
  image: inputLimits.image.maxBytes,
  audio: inputLimits.audio.maxBytes,
  video: 2048 * megabyte,
} as const satisfies Readonly<Record<MediaKind, number>>;

export const uploadBytesOf = (type: MediaType): number => uploadBytes[type.split('/')[0] as MediaKind];

/** Files larger than this are uploaded in parts, so that an interrupted upload need not start over. */
export const formBytes = 100 * megabyte;

/** The size of every part but the last. */
export const partBytes = 64 * megabyte;

export const maxParts = Math.ceil(uploadBytes.video / partBytes);

interface Part {
  readonly number: number;
  readonly bytes: number;
}

/** The parts of a file, in order. */
export const partsOf = (bytes: number): readonly Part[] =>
  Array.from({ length: Math.ceil(bytes / partBytes) }, (_, index) => ({
    number: index + 1,
    bytes: Math.min(partBytes, bytes - index * partBytes),
  }));

export const filesPath = '/api/v1/files';

/** The URL by which an account uses its upload as an input; nothing is served there. */
export const uploadUrl = (apiUrl: string, fileId: string): string => `${apiUrl}${filesPath}/${fileId}`;

const fileId = /^[0-9a-f-]{36}$/;

/** The id in an upload's URL; empty if it is malformed, undefined for any other URL. */
export function uploadIdIn(apiUrl: string, url: string): string | undefined {
  const prefix = `${apiUrl}${filesPath}/`;
  const href = URL.parse(url)?.href;
  if (!href?.startsWith(prefix)) return undefined;
  const id = href.slice(prefix.length);
  return fileId.test(id) ? id : '';
}
