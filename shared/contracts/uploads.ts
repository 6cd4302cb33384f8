/** What accounts may upload: the types, how large a file of each kind may be, how it is sent, and its address. */
import { inputLimits, type MediaKind, type MediaType, mediaTypes } from './media.ts';

const megabyte = 2 ** 20;

export const uploadTypes = Object.keys(mediaTypes) as [MediaType, ...MediaType[]];

/** The most bytes of an upload, by kind. */
export const uploadBytes = {
  image: inputLimits.image.maxBytes,
  audio: inputLimits.audio.maxBytes,
  video: 2048 * megabyte,
} as const satisfies Readonly<Record<MediaKind, number>>;

export const uploadBytesOf = (type: MediaType): number => uploadBytes[type.split('/')[0] as MediaKind];

/** What is larger is sent in parts, so that an interrupted upload need not begin anew. */
export const formBytes = 100 * megabyte;

/** All parts but the last have this size. */
export const partBytes = 64 * megabyte;

export const mostParts = Math.ceil(uploadBytes.video / partBytes);

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

/** The address of an upload as an input of its account: nothing is served there. */
export const uploadUrl = (apiUrl: string, fileId: string): string => `${apiUrl}${filesPath}/${fileId}`;

const fileId = /^[0-9a-f-]{36}$/;

/** The id in the address of an upload, empty if it cannot be one; undefined for all other URLs. */
export function uploadIdIn(apiUrl: string, url: string): string | undefined {
  const prefix = `${apiUrl}${filesPath}/`;
  const href = URL.parse(url)?.href;
  if (!href?.startsWith(prefix)) return undefined;
  const id = href.slice(prefix.length);
  return fileId.test(id) ? id : '';
}
