/**
 * Transcripts of ElevenLabs' Scribe, as its API reference documents them (elevenlabs.io/docs, 2026-11): transcribed in the
 * background and requested by their ids. Assumed, because the reference is silent: that the account has a webhook for
 * transcripts, although the service needs none, and that a transcript is not found until it is complete. One that fails
 * is never found: its job ends with its deadline.
 */
import * as z from 'zod';
import type { EngineJob, EngineOutcome, EngineProgress } from '../engine.ts';

const model = 'scribe_v2';

export const scribeAtElevenLabs = (url: string): Pick<EngineJob, 'model' | 'input'> => ({
  model,
  input: { sourceUrl: url },
});

export const TranscriptionInput = z.object({ sourceUrl: z.url({ protocol: /^https?$/ }) });

/** The recording is downloaded by ElevenLabs. */
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

/** Undefined if the response does not have the documented form. */
export const transcriptReference = (response: unknown): string | undefined => {
  const id = Accepted.safeParse(response).data?.transcription_id;
  return id === undefined ? undefined : `${prefix}${id}`;
};

/** Below the base URL; undefined if the reference is not one to a transcript. */
export const transcriptPath = (reference: string): string | undefined =>
  reference.startsWith(prefix) ? `v1/speech-to-text/transcripts/${reference.slice(prefix.length)}` : undefined;

/** The type of documents among the outputs, whose URLs need the key. */
export const documentType = 'application/json';

/** The service reports no percentages. */
export const transcribing: EngineProgress = { status: 'running', progress: 20 };

const Complete = z.object({ words: z.array(z.unknown()) });

export const outcomeOfTranscript = (response: unknown, url: string): EngineOutcome =>
  Complete.safeParse(response).success
    ? { status: 'done', outputs: [{ url, contentType: documentType }] }
    : { status: 'failed', code: 'PROVIDER_ERROR' };
