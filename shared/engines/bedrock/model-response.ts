/** Parses responses of Stability's models. */
import * as z from 'zod';
import { readImageHead } from '../../media-files/image-head.ts';
import type { EngineFailure, EngineFile, EngineOutput } from '../engine.ts';

/**
 * A filtered response contains only reasons. This is the format of Stability's models; others on Bedrock use other
 * formats.
 */
const ModelResponse = z.object({
  finish_reasons: z.array(z.string().nullable()).min(1),
  images: z.array(z.base64().min(1)).nullish(),
});

/** An image from a response, which becomes an output once it is stored. */
export interface GeneratedImage {
  readonly file: EngineFile;
  readonly description: Omit<EngineOutput, 'url'>;
}

const imageIn = (base64: string): GeneratedImage | undefined => {
  const bytes = Buffer.from(base64, 'base64');
  // The image type is determined from the bytes: the response does not state it, and it may differ from the requested
  // one.
  const head = readImageHead(bytes);
  return head && { file: { bytes, contentType: head.contentType }, description: head };
};

const failureOf = (reason: string): EngineFailure =>
  reason.startsWith('Filter reason') ? 'CONTENT_REJECTED' : 'PROVIDER_ERROR';

/** The image, or why the response contains none; if the response has another format, the provider is at fault. */
export const imageOf = (response: unknown): GeneratedImage | EngineFailure => {
  const parsed = ModelResponse.safeParse(response).data;
  if (!parsed) return 'PROVIDER_ERROR';
  const [reason] = parsed.finish_reasons;
  if (typeof reason === 'string') return failureOf(reason);
  const [base64 = ''] = parsed.images ?? [];
  return imageIn(base64) ?? 'PROVIDER_ERROR';
};
