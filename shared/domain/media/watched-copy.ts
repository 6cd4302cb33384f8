/** Checks streams while they are copied, so that exactly the checked bytes are stored. */
import { fileExtent } from '../../media-files/file-extent.ts';
import { type MediaProblem, truncated } from './media-problem.ts';

/** The error for a file that turns out to be unusable while it is copied. */
export class UnusableCopy extends Error {
  override readonly name = 'UnusableCopy';
  readonly problem: MediaProblem;

  constructor(problem: MediaProblem) {
    super(problem.reason);
    this.problem = problem;
  }
}

type Verdict = MediaProblem | undefined;

/**
 * Passes a stream through while a watcher reads it at the same pace; the watcher may stop early. @throws {UnusableCopy}
 * as soon as the watcher finds a problem, so that the copy is not completed
 */
export async function* watchedCopy(
  body: AsyncIterable<Uint8Array>,
  watch: (seen: AsyncIterable<Uint8Array>) => Promise<Verdict>,
): AsyncGenerator<Uint8Array> {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  writer.closed.catch(() => undefined);
  let isOver = false;
  const verdict = watch(readable).finally(() => {
    isOver = true;
  });
  verdict.catch(() => undefined);
  const requireUsable = async () => {
    const problem = await verdict;
    if (problem) throw new UnusableCopy(problem);
  };
  try {
    for await (const chunk of body) {
      // A watcher that has finished no longer reads, and one that closed its stream rejects further writes.
      if (!isOver) await Promise.race([writer.write(chunk).catch(() => undefined), verdict]);
      if (isOver) await requireUsable();
      yield chunk;
    }
    writer.close().catch(() => undefined);
    await requireUsable();
  } finally {
    writer.abort().catch(() => undefined);
  }
}

/** Passes a stream through, and fails at the end if the file is truncated. @throws {UnusableCopy} */
export async function* completeCopy(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const extent = fileExtent();
  let bytes = 0;
  for await (const chunk of body) {
    extent.add(chunk);
    bytes += chunk.length;
    yield chunk;
  }
  if (extent.isTruncated(bytes)) throw new UnusableCopy(truncated);
}
