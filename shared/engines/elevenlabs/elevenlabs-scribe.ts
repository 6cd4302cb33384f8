/**
 * Transcribes with ElevenLabs' Scribe, following its API reference (elevenlabs.io/docs, 2026-11): in the background,
 * with transcripts requested by id. Assumed, because the reference does not say: that the account must have a webhook
 * for transcripts, although the service does not use it, and that a transcript is not found until it is complete. A
 * transcription that fails is never found, so its job ends at its deadline.
 */
import * as z from 'zod';
import type { EngineJob, EngineOutcome, EngineProgress } from '../engine.ts';

const model = 'scribe_v2';

export const scribeAtElevenLabs = (url: string): Pick<EngineJob, 'model' | 'input'> => ({
  model,
  input: { sourceUrl: url },
});

export const TranscriptionInput = z.object({ sourceUrl: z.url({ protocol: /^https?$/ }) });

/** The form for a transcription; ElevenLabs downloads the recording itself. */
export function transcriptionForm({ sourceUrl }: z.output<typeof TranscriptionInput>): FormData {
  const form = new FormData();
  form.append('model_id', model);
  form.append('source_url', sourceUrl);
  form.append('timestamps_granularity', 'word');
  form.append('tag_audio_events', 'false');
  form.append('webhook', 'true');
  return form;
}

const Accepted = z.object({ transcription_id: z.string().regex(/^[\w-]{1,100}$/) });

const prefix = 'transcript:';

/** The reference of a transcription; undefined if the response does not have the documented form. */
export const transcriptReference = (response: unknown): string | undefined => {
  const id = Accepted.safeParse(response).data?.transcription_id;
  return id === undefined ? undefined : `${prefix}${id}`;
};

/** The path of a transcript below the base URL; undefined for another kind of reference. */
export const transcriptPath = (reference: string): string | undefined =>
  reference.startsWith(prefix) ? `v1/speech-to-text/transcripts/${reference.slice(prefix.length)}` : undefined;

/** The media type of outputs that are documents, whose URLs need the key. */
export const documentType = 'application/json';

/** The progress is a constant, because ElevenLabs reports no percentages. */
export const transcribing: EngineProgress = { status: 'running', progress: 20 };

const Complete = z.object({ words: z.array(z.unknown()) });

export const outcomeOfTranscript = (response: unknown, url: string): EngineOutcome =>
  Complete.safeParse(response).success
    ? { status: 'done', outputs: [{ url, contentType: documentType }] }
    : { status: 'failed', code: 'PROVIDER_ERROR' };
