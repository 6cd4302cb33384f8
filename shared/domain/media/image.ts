/** Image inputs: reads type and dimensions from the first bytes, and finds problems. */
import { type AspectRatio, aspectRatios } from '../../contracts/image-files.ts';
import { type InputLimits, inputLimits, ratioValue } from '../../contracts/media.ts';
import { fileExtent } from '../../media-files/file-extent.ts';
import { type ImageHead, readImageHead, showsImage } from '../../media-files/image-head.ts';
import type { Outbound } from '../../platform/outbound.ts';
import { type PeekedStream, peekStream } from '../../platform/peek-stream.ts';
import type { OutboundStream } from '../../platform/safe-fetch.ts';
import { fileProblem } from './file-limits.ts';
import { isProblem, type MediaProblem, problemOfFailure, truncated, unreadable } from './media-problem.ts';
import { openInput } from './open-input.ts';

/** Reads only as much of a stream as identifies the image. */
export const peekImage = (stream: AsyncIterable<Uint8Array>): Promise<PeekedStream> =>
  peekStream(stream, { maxBytes: inputLimits.image.maxBytes, isEnough: showsImage });

/** The header in the first bytes, or why it cannot be used. */
export function imageIn({ head, next, failure }: PeekedStream, limits: InputLimits): ImageHead | MediaProblem {
  const found = readImageHead(head, next === 'failure' ? 'part' : 'whole');
  if (found) return fileProblem(found, limits) ?? found;
  return next === 'failure' ? problemOfFailure(failure, limits) : unreadable(limits.types);
}

/**
 * Whether the announced length is too short for the image according to its header, which is known without reading the
 * rest.
 */
function isCutShort({ headers }: OutboundStream, { head }: PeekedStream): boolean {
  const announced = headers['content-length'];
  if (announced === undefined) return false;
  const extent = fileExtent();
  extent.add(head);
  return extent.isTruncated(Number(announced)) === true;
}

/** Counts the rest of a body without an announced length; an announced length has already been checked. */
async function drain({ headers }: OutboundStream, { next, body }: PeekedStream): Promise<void> {
  if (headers['content-length'] !== undefined && next !== 'failure') return;
  const reader = body[Symbol.asyncIterator]();
  while (!(await reader.next()).done);
}

async function probeStream(stream: OutboundStream, limits: InputLimits): Promise<ImageHead | MediaProblem> {
  const peeked = await peekImage(stream.body);
  const found = imageIn(peeked, limits);
  if (isProblem(found)) return found;
  if (isCutShort(stream, peeked)) return truncated;
  try {
    await drain(stream, peeked);
    return found;
  } catch (error) {
    const problem = problemOfFailure(error, limits);
    // If the rest of an image is truncated or too slow, the image is judged by its first bytes.
    return problem.problem === 'unreachable' ? found : problem;
  }
}

/** Determines the type and dimensions of the image at a URL, keeping only the bytes needed for that. */
export async function probeImage(
  outbound: Pick<Outbound, 'open'>,
  url: string,
  timeoutMs: number,
  limits: InputLimits = inputLimits.image,
): Promise<ImageHead | MediaProblem> {
  const stream = await openInput(outbound, url, limits, { timeoutMs });
  if (isProblem(stream)) return stream;
  try {
    return await probeStream(stream, limits);
  } finally {
    stream.close();
  }
}

/** The nearest aspect ratio; being too wide counts as much as being too high. */
export const nearestAspectRatio = ({ width, height }: Pick<ImageHead, 'width' | 'height'>): AspectRatio => {
  const distance = (ratio: AspectRatio) => Math.abs(Math.log(width / height / ratioValue(ratio)));
  return aspectRatios.reduce((best, ratio) => (distance(ratio) < distance(best) ? ratio : best));
};
