/** The kinds of media: their types, and the limits of inputs and results. */

/** Every media type of inputs and results, with its name and file extension. */
export const mediaTypes = {
  'image/jpeg': { name: 'JPEG', extension: 'jpg' },
  'image/png': { name: 'PNG', extension: 'png' },
  'image/webp': { name: 'WebP', extension: 'webp' },
  'audio/mpeg': { name: 'MP3', extension: 'mp3' },
  'audio/wav': { name: 'WAV', extension: 'wav' },
  'audio/mp4': { name: 'M4A', extension: 'm4a' },
  'audio/ogg': { name: 'Ogg', extension: 'ogg' },
  'audio/flac': { name: 'FLAC', extension: 'flac' },
  'audio/webm': { name: 'WebM', extension: 'webm' },
  'audio/x-matroska': { name: 'Matroska', extension: 'mka' },
  'video/mp4': { name: 'MP4', extension: 'mp4' },
  'video/quicktime': { name: 'MOV', extension: 'mov' },
  'video/webm': { name: 'WebM', extension: 'webm' },
  'video/x-matroska': { name: 'Matroska', extension: 'mkv' },
} as const satisfies Readonly<Record<string, { readonly name: string; readonly extension: string }>>;

export type MediaType = keyof typeof mediaTypes;

/** Video sites whose pages a client may link to instead of a file. */
export const videoPlatforms = { youtube: 'YouTube', tiktok: 'TikTok', instagram: 'Instagram' } as const;

export type VideoPlatform = keyof typeof videoPlatforms;

/** A ratio of width to height, such as `9:16`. */
export type Ratio = `${number}:${number}`;

export const ratioValue = (ratio: Ratio): number => {
  const [width = 1, height = 1] = ratio.split(':').map(Number);
  return width / height;
};

/** The limits of an input file; absent limits do not apply. */
export interface InputLimits {
  readonly types: readonly MediaType[];
  readonly maxBytes: number;
  /** The limit of pixels, counted after decoding: more would exhaust an engine's memory. */
  readonly maxPixels?: number;
  readonly maxSidePixels?: number;
  readonly minSidePixels?: number;
  /** The accepted range of width to height. */
  readonly ratios?: readonly [narrowest: Ratio, widest: Ratio];
  /** A ratio that the image must approximately have. */
  readonly aspectRatio?: Ratio;
  readonly minSeconds?: number;
  readonly maxSeconds?: number;
}

const megabyte = 2 ** 20;

/** The default limits of input files; a field may override some of them. */
export const inputLimits = {
  image: {
    types: ['image/jpeg', 'image/png', 'image/webp'],
    maxBytes: 10 * megabyte,
    maxPixels: 50_000_000,
    maxSidePixels: 16_384,
  },
  audio: {
    types: ['audio/mpeg', 'audio/wav', 'audio/mp4', 'audio/ogg'],
    maxBytes: 25 * megabyte,
    maxSeconds: 300,
  },
  // The sides of a video are limited, because decoders hold several full-size frames in memory.
  video: { types: ['video/mp4'], maxBytes: 100 * megabyte, maxSidePixels: 4096 },
} as const satisfies Readonly<Record<string, InputLimits>>;

export type MediaKind = keyof typeof inputLimits;

export const mediaKinds = ['image', 'video', 'audio'] as const satisfies readonly MediaKind[];

/** The types of recordings from cameras, phones and browsers. Engines that do not support a type do not receive it. */
export const recordingTypes = [
  ...inputLimits.audio.types,
  'audio/flac',
  'audio/webm',
  'audio/x-matroska',
] as const satisfies readonly MediaType[];

export const filmTypes = [
  ...inputLimits.video.types,
  'video/quicktime',
  'video/webm',
  'video/x-matroska',
] as const satisfies readonly MediaType[];

/** The limits of result files. */
export const resultLimits: Readonly<
  Record<MediaKind, { readonly types: readonly MediaType[]; readonly maxBytes: number }>
> = {
  // The size limit allows for the largest upscaled photograph, a PNG of about 100 MB.
  image: { types: inputLimits.image.types, maxBytes: 160 * megabyte },
  audio: { types: ['audio/mpeg'], maxBytes: 160 * megabyte },
  video: { types: ['video/mp4'], maxBytes: 2048 * megabyte },
};

/** A list for messages, such as `JPEG, PNG or WebP`. */
export const typeNames = (types: readonly MediaType[]): string => {
  const names = [...new Set(types.map((type) => mediaTypes[type].name))];
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
};

export const megabytes = (bytes: number): string => `${bytes / megabyte} MB`;

/** Added to the description of fields whose types are not supported by every engine. */
export const engineTypes = 'A type that no configured engine accepts is rejected with 400.';
