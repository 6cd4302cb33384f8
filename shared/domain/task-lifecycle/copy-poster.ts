/** Copies a video's poster image next to the video; without a poster, the video is still a result. */
import type { DigitalSourceType } from '../../contracts/provenance.ts';
import type { Engine, EngineOutput } from '../../engines/engine.ts';
import { isTruncated } from '../../media-files/file-extent.ts';
import { readImageHead } from '../../media-files/image-head.ts';
import { withSourceType } from '../../media-files/jpeg-source-type.ts';
import type { Bucket } from '../../platform/bucket.ts';
import { collectBytes } from '../../platform/limit-bytes.ts';
import { untilAborted } from '../../platform/until-aborted.ts';
import { type ResultPlace, resultKey, type Task } from '../tasks/task.ts';

const maxBytes = 5 * 2 ** 20;
/** The time limit for the poster is short, because the rest of the task is ready. */
const timeoutMs = 10_000;

async function download(engine: Pick<Engine, 'download'>, url: string, signal: AbortSignal): Promise<Uint8Array> {
  const { body } = await engine.download({ url, contentType: 'image/jpeg' });
  async function* whileAwaited() {
    for await (const chunk of body) {
      signal.throwIfAborted();
      yield chunk;
    }
  }
  return collectBytes(whileAwaited(), maxBytes);
}

/** Copies the poster and returns its key; undefined if the engine provides none that can be used. */
export async function copyPoster(
  bucket: Bucket,
  engine: Pick<Engine, 'download'>,
  {
    task,
    output: { posterUrl },
    sourceType,
    ...place
  }: ResultPlace & {
    readonly task: Pick<Task, 'taskId' | 'resultsSecret'>;
    /** How the video was made, which the poster's metadata then say; undefined if results are not marked. */
    readonly sourceType: DigitalSourceType | undefined;
    readonly output: Pick<EngineOutput, 'posterUrl'>;
  },
): Promise<string | undefined> {
  if (posterUrl === undefined) return undefined;
  const signal = AbortSignal.timeout(timeoutMs);
  const image = await untilAborted(download(engine, posterUrl, signal), signal).catch(() => undefined);
  if (!image || readImageHead(image)?.contentType !== 'image/jpeg' || isTruncated(image)) return undefined;
  const key = resultKey(task, place, 'jpg');
  await bucket.write(key, {
    body: [sourceType ? withSourceType(image, sourceType) : image],
    contentType: 'image/jpeg',
  });
  return key;
}
