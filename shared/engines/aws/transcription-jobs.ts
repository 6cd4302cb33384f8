/** Transcripts by Amazon Transcribe: one job for each video, polled until it has ended. */
import * as z from 'zod';
import { type Transcriber, TranscriptionRefused, type TranscriptionState } from '../../platform/transcriber.ts';
import type { EngineFailure, EngineJob, EngineOutcome, EngineProgress } from '../engine.ts';
import type { AwsJobs } from './aws-engine.ts';

/** The name of the service in jobs. */
const transcribeService = 'transcribe';

const Key = z.string().regex(/^[\w./-]{1,500}$/);

/** Amazon Transcribe takes files of up to 2 GB, in units that it does not define, and 8 hours. */
export const maxBytesAtTranscribe = 2e9;

/** Objects in the bucket of inputs. */
const TranscriptionInput = z.object({ sourceKey: Key, outputKey: Key });

export const transcribeAtAws = (
  input: z.output<typeof TranscriptionInput>,
): Required<Pick<EngineJob, 'model'>> & Pick<EngineJob, 'input'> => ({ model: transcribeService, input });

interface TranscriptionJobsAccess {
  readonly transcriber: Transcriber;
  /** The bucket of recordings and transcripts. */
  readonly bucket: () => string;
}

const failed = (code: EngineFailure): EngineOutcome => ({ status: 'failed', code });

/** The documented reasons that are in the file; any other failure is the service's. */
const unusableFile =
  /^(?:Unsupported media format|The media format provided|Invalid sample rate|The sample rate provided|Invalid file size|Invalid number of channels)/i;
/** Without speech, the language cannot be identified. */
const withoutSpeech = /speech segment|language identification/i;

const outcomeOf = ({ failure }: TranscriptionState): EngineOutcome => {
  // Nothing is said, so there is no transcript.
  if (withoutSpeech.test(failure)) return { status: 'done', outputs: [] };
  return failed(unusableFile.test(failure) ? 'INPUT_INVALID' : 'PROVIDER_ERROR');
};

/** The service reports no percentages. */
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

/** Names consist of these characters and are no longer. */
const jobName = (taskId: string): string => taskId.replaceAll(/[^\w.-]/g, '-').slice(0, 200);

/** `<name>:<key of the transcript>`; names contain no colons. */
const parsed = (id: string) => {
  const [, name = '', outputKey = ''] = /^([^:]+):(.+)$/.exec(id) ?? [];
  return { name, outputKey };
};

/** Throws an Error if the service cannot be reached or refuses the role; it contains only the name of the fault. */
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
      // The request is the service's own: another attempt would send the same.
      if (error.reason === 'rejected') return failed('PROVIDER_ERROR');
      throw error;
    }
  },
  async check(id) {
    const { name, outputKey } = parsed(id);
    const found = await transcriber.find(name);
    return found ? stateOf(found, `s3://${bucket()}/${outputKey}`) : { status: 'lost' };
  },
  /** A job cannot be stopped; deleted, it leaves nothing behind. */
  cancel: (id) => transcriber.delete(parsed(id).name),
});
