/** What a model made, in the words of the port. */
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

const flags = z.union([z.boolean(), z.array(z.boolean())]).nullish();

/** Image models give `images` or one `image`, others `video` or `audio`; what a model adds to these is ignored. */
const Payload = z.object({
  images: z.array(MadeFile).max(100).nullish(),
  image: MadeFile.nullish(),
  video: MadeFile.nullish(),
  audio: MadeFile.nullish(),
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

/** A type without parameters, in lower case; undefined when it says nothing. */
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

const isRaised = (flag: z.output<typeof flags>): boolean => [flag].flat().includes(true);

/** A payload of another form is the provider's own fault; one that is flagged as unsafe, or is empty, was refused. */
export const outcomeOfPayload = (payload: unknown): EngineOutcome => {
  const made = Payload.safeParse(payload).data;
  if (!made) return failed('PROVIDER_ERROR');
  if (isRaised(made.has_nsfw_concepts) || isRaised(made.nsfw)) return failed('CONTENT_REJECTED');
  const files = [...(made.images ?? []), made.image, made.video, made.audio].filter((file) => file != null);
  if (files.length > 0) return { status: 'done', outputs: files.map(outputOf) };
  // An empty list is how models tell a soft refusal that do not know `no_media_generated`.
  return failed(made.images ? 'CONTENT_REJECTED' : 'PROVIDER_ERROR');
};
