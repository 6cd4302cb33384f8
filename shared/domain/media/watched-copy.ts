/** Streams that are checked while they are copied: what is checked and what is copied are the same bytes. */
import { fileExtent } from '../../media-files/file-extent.ts';
import { type MediaProblem, truncated } from './media-problem.ts';

/** The file that is being copied is not usable. */
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
 * The same chunks as the stream's. The watcher reads as fast as they are copied and may stop when it has seen enough.
 * @throws {UnusableCopy} as soon as it finds a problem, so that the copy is not completed.
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
      // A watcher that has seen enough reads no more, and one that gave the stream back rejects what is written.
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

/** The same chunks, but the copy of a truncated file is not completed. @throws {UnusableCopy} */
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
