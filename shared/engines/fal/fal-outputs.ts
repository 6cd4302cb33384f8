/** Maps a model's result to outputs. */
import * as z from 'zod';
import type { EngineOutcome, EngineOutput } from '../engine.ts';
import { failed } from './fal-fault.ts';

const pixels = z.int().positive().nullish().catch(undefined);

const MadeFile = z.object({
  url: z.url({ protocol: /^https?$/ }).max(2000),
  content_type: z.string().nullish(),
  width: pixels,
  height: pixels,
});

type MadeFile = z.output<typeof MadeFile>;

const flags = z.union([z.boolean(), z.array(z.boolean()).max(100)]).nullish();

const seconds = z.number().positive().nullish().catch(undefined);

/** Image models return `images` or a single `image`, others `video` or `audio`; everything else is ignored. */
const Payload = z.object({
  images: z.array(MadeFile).max(100).nullish(),
  image: MadeFile.nullish(),
  video: MadeFile.nullish(),
  audio: MadeFile.nullish(),
  /** Facts about the video, as returned by models that edit one. */
  trimmed_duration: seconds,
  scaled_width: pixels,
  scaled_height: pixels,
  /** The words of a transcript; if present, the result itself is the output. */
  words: z.array(z.unknown()).nullish(),
  has_nsfw_concepts: flags,
  nsfw: flags,
});

const typesByExtension: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  gif: 'image/gif',
  mp4: 'video/mp4',
  webm: 'video/webm',
  mov: 'video/quicktime',
  mp3: 'audio/mpeg',
  wav: 'audio/wav',
};

const unknownType = 'application/octet-stream';

/** The media type in lower case, without parameters; undefined if it is empty. */
const plainType = (text: string | null | undefined): string | undefined => {
  const [, type] = /^\s*([a-z]+\/[a-z0-9][a-z0-9.+-]{0,60})\s*(?:;|$)/i.exec(text ?? '') ?? [];
  const lower = type?.toLowerCase();
  return lower === unknownType ? undefined : lower;
};

const typeByName = (url: string): string | undefined => {
  const [, extension = ''] = /\.([a-z0-9]{2,4})$/i.exec(new URL(url).pathname) ?? [];
  return typesByExtension[extension.toLowerCase()];
};

const outputOf = ({ url, content_type, width, height }: MadeFile): EngineOutput => ({
  url,
  contentType: plainType(content_type) ?? typeByName(url) ?? unknownType,
  ...(typeof width === 'number' && { width }),
  ...(typeof height === 'number' && { height }),
});

type Payload = z.output<typeof Payload>;

const videoOf = (video: MadeFile, made: Payload): EngineOutput => {
  const { scaled_width: width, scaled_height: height, trimmed_duration: durationSec } = made;
  return {
    ...outputOf({ ...video, width: video.width ?? width, height: video.height ?? height }),
    ...(typeof durationSec === 'number' && { durationSec }),
  };
};

const isRaised = (flag: z.output<typeof flags>): boolean => [flag].flat().includes(true);

export const documentType = 'application/json';

/**
 * The outcome of a result. A result in another format is the provider's fault; an empty or flagged one is a rejection.
 * A result without files is an output only if it can be read again at `resultUrl`.
 */
export const outcomeOfPayload = (payload: unknown, resultUrl?: string): EngineOutcome => {
  const made = Payload.safeParse(payload).data;
  if (!made) return failed('PROVIDER_ERROR');
  if (isRaised(made.has_nsfw_concepts) || isRaised(made.nsfw)) return failed('CONTENT_REJECTED');
  const files = [...(made.images ?? []), made.image, made.audio].filter((file) => file != null);
  const outputs = [...files.map(outputOf), ...(made.video ? [videoOf(made.video, made)] : [])];
  if (outputs.length > 0) return { status: 'done', outputs };
  if (made.words && resultUrl !== undefined) {
    return { status: 'done', outputs: [{ url: resultUrl, contentType: documentType }] };
  }
  // Models without `no_media_generated` signal a content rejection with an empty list.
  return failed(made.images ? 'CONTENT_REJECTED' : 'PROVIDER_ERROR');
};
