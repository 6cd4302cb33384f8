/** Stores a clip's captions next to its video, for an engine that burns them in. */
import type { TimeSpan } from '../../contracts/frame-time.ts';
import type { WorkStorage } from '../../platform/work-storage.ts';
import { canBeCaptioned, captionCues, srtOf } from './captions.ts';
import { readTranscript } from './stored-transcript.ts';

/** Stores the captions; undefined if the transcript is not reliable enough to show. */
export async function storeCaptions(
  { work }: { readonly work: Pick<WorkStorage, 'read' | 'write'> },
  { taskId, span, key }: { readonly taskId: string; readonly span: TimeSpan; readonly key: string },
): Promise<{ readonly key: string; readonly language?: string } | undefined> {
  const { words, language } = await readTranscript({ work }, taskId);
  if (!canBeCaptioned(words, span)) return undefined;
  await work.write(key, srtOf(captionCues(words, span)), 'application/x-subrip');
  return { key, ...(language !== undefined && { language }) };
}
