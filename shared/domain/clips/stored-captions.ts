/** The captions of a clip, stored beside the video for an engine that burns them in. */
import type { TimeSpan } from '../../contracts/frame-time.ts';
import type { WorkStorage } from '../../platform/work-storage.ts';
import { canBeCaptioned, captionCues, srtOf } from './captions.ts';
import { readTranscript } from './stored-transcript.ts';

/** Undefined if what is said in the clip, or when, is not certain enough to be shown. */
export async function storeCaptions(
  { work }: { readonly work: Pick<WorkStorage, 'read' | 'write'> },
  { taskId, span, key }: { readonly taskId: string; readonly span: TimeSpan; readonly key: string },
): Promise<{ readonly key: string; readonly language?: string } | undefined> {
  const { words, language } = await readTranscript({ work }, taskId);
  if (!canBeCaptioned(words, span)) return undefined;
  await work.write(key, srtOf(captionCues(words, span)), 'application/x-subrip');
  return { key, ...(language !== undefined && { language }) };
}
