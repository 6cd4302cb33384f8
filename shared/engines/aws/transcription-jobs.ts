/** Transcribes videos with Amazon Transcribe: one job per video, polled until it ends. */
import * as z from 'zod';
import { type Transcriber, TranscriptionRefused, type TranscriptionState } from '../../platform/transcriber.ts';
import type { EngineFailure, EngineJob, EngineOutcome, EngineProgress } from '../engine.ts';
import type { AwsJobs } from './aws-engine.ts';

/** The name of the AWS service in job references. */
const transcribeService = 'transcribe';

const Key = z.string().regex(/^[\w./-]{1,500}$/);

/**
 * Amazon Transcribe accepts up to 8 hours and 2 GB; the guide does not say whether GB is decimal, so it is assumed to
 * be.
 */
export const maxBytesAtTranscribe = 2e9;

/** Keys of objects in the inputs bucket. */
const TranscriptionInput = z.object({ sourceKey: Key, outputKey: Key });

export const transcribeAtAws = (
  input: z.output<typeof TranscriptionInput>,
): Required<Pick<EngineJob, 'model'>> & Pick<EngineJob, 'input'> => ({ model: transcribeService, input });

interface TranscriptionJobsAccess {
  readonly transcriber: Transcriber;
  /** The name of the bucket with recordings and transcripts. */
  readonly bucket: () => string;
}

const failed = (code: EngineFailure): EngineOutcome => ({ status: 'failed', code });

/** Documented failures that the file causes; any other failure is the fault of Amazon Transcribe. */
const unusableFile =
  /^(?:Unsupported media format|The media format provided|Invalid sample rate|The sample rate provided|Invalid file size|Invalid number of channels)/i;
/** Failures that mean there is no speech, so that the language cannot be identified. */
const withoutSpeech = /speech segment|language identification/i;

const outcomeOf = ({ failure }: TranscriptionState): EngineOutcome => {
  // A recording without speech has no transcript.
  if (withoutSpeech.test(failure)) return { status: 'done', outputs: [] };
  return failed(unusableFile.test(failure) ? 'INPUT_INVALID' : 'PROVIDER_ERROR');
};

/** The progress is a constant, because Amazon Transcribe reports no percentages. */
const running: EngineProgress = { status: 'running', progress: 20 };

const stateOf = (found: TranscriptionState, transcriptUrl: string): EngineProgress | EngineOutcome => {
  switch (found.status) {
    case 'waiting':
      return { status: 'queued', progress: 0 };
    case 'running':
      return running;
    case 'complete':
      return { status: 'done', outputs: [{ url: transcriptUrl, contentType: 'application/json' }] };
    default:
      return outcomeOf(found);
  }
};

/** Job names of Amazon Transcribe are limited in length and may contain only these characters. */
const jobName = (taskId: string): string => taskId.replaceAll(/[^\w.-]/g, '-').slice(0, 200);

/** Parses `<name>:<key of the transcript>`; names contain no colons. */
const parsed = (id: string) => {
  const [, name = '', outputKey = ''] = /^([^:]+):(.+)$/.exec(id) ?? [];
  return { name, outputKey };
};

/**
 * Creates the jobs' functions. They throw an Error if the service cannot be reached or rejects the role; errors contain
 * only error names.
 */
export const transcriptionJobs = ({ transcriber, bucket }: TranscriptionJobsAccess): AwsJobs => ({
  async submit({ taskId, input }) {
    const { sourceKey, outputKey } = TranscriptionInput.parse(input);
    const name = jobName(taskId);
    try {
      await transcriber.start({ name, bucket: bucket(), sourceKey, outputKey });
      return { status: 'accepted', id: `${name}:${outputKey}` };
    } catch (error) {
      if (!(error instanceof TranscriptionRefused)) throw error;
      if (error.reason === 'busy') return { status: 'busy' };
      // A rejection is final, because the service itself builds the request and a retry would send the same one.
      if (error.reason === 'rejected') return failed('PROVIDER_ERROR');
      throw error;
    }
  },
  async check(id) {
    const { name, outputKey } = parsed(id);
    const found = await transcriber.find(name);
    return found ? stateOf(found, `s3://${bucket()}/${outputKey}`) : { status: 'lost' };
  },
  /** Amazon Transcribe cannot stop a job, but a deleted job leaves nothing behind. */
  cancel: (id) => transcriber.delete(parsed(id).name),
});
