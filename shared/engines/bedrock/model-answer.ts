/** What Stability's models answer, checked and put in the words of the port. */
import * as z from 'zod';
import { readImageHead } from '../../platform/image-head.ts';
import type { EngineFailure, EngineFile, EngineOutput } from '../engine.ts';

/** An answer that was filtered has reasons alone. Other models of Bedrock answer in other forms. */
const Answer = z.object({
  finish_reasons: z.array(z.string().nullable()).min(1),
  images: z.array(z.base64().min(1)).nullish(),
});

/** A picture that came with an answer, and what is told of it once it is kept. */
export interface MadePicture {
  readonly file: EngineFile;
  readonly description: Omit<EngineOutput, 'url'>;
}

const pictureIn = (base64: string): MadePicture | undefined => {
  const bytes = Buffer.from(base64, 'base64');
  // The answer names no type, and a model may not give the one that it was asked for.
  const head = readImageHead(bytes);
  return head && { file: { bytes, contentType: head.contentType }, description: head };
};

const failureOf = (reason: string): EngineFailure =>
  reason.startsWith('Filter reason') ? 'CONTENT_REJECTED' : 'PROVIDER_ERROR';

/** The picture that a model made, or why there is none; an answer of another form is the provider's own fault. */
export const pictureOf = (answer: unknown): MadePicture | EngineFailure => {
  const told = Answer.safeParse(answer).data;
  if (!told) return 'PROVIDER_ERROR';
  const [reason] = told.finish_reasons;
  if (typeof reason === 'string') return failureOf(reason);
  const [base64 = ''] = told.images ?? [];
  return pictureIn(base64) ?? 'PROVIDER_ERROR';
};
