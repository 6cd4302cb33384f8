/** Converts the transcript of a task's video from its engine's format once, and stores it for ranking and captions. */
import type { Outcome } from '../../contracts/workflow.ts';
import type { ClipWay } from '../../engines/clips/clip-ways.ts';
import type { Engines } from '../../engines/engines.ts';
import type { Transcript } from '../../engines/transcript.ts';
import { collectBytes } from '../../platform/limit-bytes.ts';
import type { WorkStorage } from '../../platform/work-storage.ts';
import { engineFault } from '../engine-jobs/engine-fault.ts';
import { type MediaProblem, tooLong } from '../media/media-problem.ts';
import { type ClipOrder, toleratedSeconds, transcriptKey } from './clip-task.ts';
import { StoredTranscript } from './transcript.ts';

interface Needs {
  readonly engines: Engines;
  readonly work: Pick<WorkStorage, 'write'>;
}

/** The size limit of a transcript, which is enough for every word of three hours, with its times. */
const maxBytes = 64 * 2 ** 20;

const silence: Transcript = { words: [] };

async function transcriptOf(
  { engines }: Needs,
  { transcription }: ClipWay,
  outcome: Outcome | undefined,
): Promise<Transcript> {
  const [output] = outcome?.status === 'done' ? outcome.outputs : [];
  // A video without audio, or too large for the engine, has no transcript.
  if (!output) return silence;
  const engine = engines.named(transcription.engine);
  if (!engine) throw new Error(`no engine is named ${transcription.engine}`);
  try {
    const { url, contentType } = output;
    const { body } = await engine.download({ url, contentType });
    const transcript = transcription.read(JSON.parse((await collectBytes(body, maxBytes)).toString()));
    if (transcript) return transcript;
    throw new Error('the transcript does not have the documented form');
  } catch (cause) {
    throw Object.assign(new Error('the transcript could not be read', { cause }), { name: engineFault });
  }
}

export async function storeTranscript(
  needs: Needs,
  { taskId, way }: { readonly taskId: string; readonly way: ClipWay },
  outcome: Outcome | undefined,
): Promise<Transcript> {
  const transcript = await transcriptOf(needs, way, outcome);
  await needs.work.write(transcriptKey(taskId), JSON.stringify(transcript), 'application/json');
  return transcript;
}

/** Transcriptions round the times of words. */
const roundedSec = 1;

/** The problem of a video in which someone still speaks after the end of the duration that the account pays for. */
export function speechProblem({ words }: Transcript, { seconds }: ClipOrder): MediaProblem | undefined {
  const end = seconds + toleratedSeconds + roundedSec;
  return words.some(({ endSec }) => endSec > end)
    ? tooLong('contains speech after its measured end: export it again')
    : undefined;
}

export async function readTranscript(
  { work }: { readonly work: Pick<WorkStorage, 'read'> },
  taskId: string,
): Promise<Transcript> {
  const text = await work.read(transcriptKey(taskId), maxBytes);
  return text === undefined ? silence : StoredTranscript().parse(JSON.parse(text));
}
