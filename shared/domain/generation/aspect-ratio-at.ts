/** Determines the aspect ratio of the image at a URL when a task is created. */
import type { AspectRatio } from '../../contracts/image-files.ts';
import type { Outbound } from '../../platform/outbound.ts';
import { nearestAspectRatio, probeImage } from '../media/image.ts';
import { isProblem, problemText } from '../media/media-problem.ts';
import { Rejection } from '../rejection.ts';

/** The time limit of the probe is short, because the client is waiting. */
const probeMs = 5_000;

/**
 * The aspect ratio nearest to the image's. An unusable image counts as 1:1, and a slow one is judged by its first
 * bytes, since the workflow checks it again. If a request field names the image, one that exceeds a limit is rejected.
 * @throws {Rejection} invalid
 */
export async function aspectRatioAt(
  url: string,
  outbound: Pick<Outbound, 'open'>,
  field?: string,
): Promise<AspectRatio> {
  const image = await probeImage(outbound, url, probeMs);
  if (!isProblem(image)) return nearestAspectRatio(image);
  if (image.problem === 'outOfLimits' && field !== undefined) {
    throw new Rejection('invalid', { message: problemText(field, image) });
  }
  return '1:1';
}
