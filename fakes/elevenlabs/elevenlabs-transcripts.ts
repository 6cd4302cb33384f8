/** Transcripts, which are created in the background and found by id when complete. */
import * as z from 'zod';
import { systemClock } from '../../shared/platform/clock.ts';
import { randomIds } from '../../shared/platform/ids.ts';
import type { Reply } from '../api-server.ts';
import { type ScribeResponse, scribe } from '../scribe.ts';
import { formFault } from './elevenlabs-faults.ts';

/** The documented fields that the service uses; uploaded files are not accepted. */
const Order = z.strictObject({
  model_id: z.enum(['scribe_v1', 'scribe_v2']),
  source_url: z.url({ protocol: /^https?$/ }),
  timestamps_granularity: z.enum(['none', 'word', 'character']).optional(),
  tag_audio_events: z.enum(['true', 'false']).optional(),
  diarize: z.enum(['true', 'false']).optional(),
  webhook: z.literal('true'),
});

interface TranscriptsOptions {
  readonly signal: AbortSignal;
  /** The text that transcripts of recordings contain. */
  readonly speech: string | undefined;
}

const notFound: Reply = {
  status: 404,
  body: { detail: { type: 'not_found', code: 'transcript_not_found', message: 'There is no such transcript.' } },
};

export function transcripts({ signal, speech }: TranscriptsOptions) {
  const complete = new Map<string, ScribeResponse>();
  const ids = randomIds(systemClock);

  async function transcribe(id: string, url: string): Promise<void> {
    const made = await scribe(url, { signal, speech });
    // A failed transcription responds as if it did not exist.
    if (typeof made === 'object') complete.set(id, made);
  }

  return {
    async order(form: Buffer, contentType: string): Promise<Reply> {
      const headers = { 'content-type': contentType };
      const fields = await new Response(new Uint8Array(form), { headers }).formData().catch(() => undefined);
      const { data, error } = Order.safeParse(Object.fromEntries(fields ?? []));
      if (!data) return formFault(String(error.issues[0]?.path[0] ?? 'body'));
      const id = ids.secret(10);
      transcribe(id, data.source_url).catch(() => undefined);
      const message = 'Request processed successfully.';
      return { status: 200, body: { message, request_id: 'r1', transcription_id: id } };
    },
    find(id: string): Reply {
      const body = complete.get(id);
      return body ? { status: 200, body: { ...body, transcription_id: id } } : notFound;
    },
  };
}
