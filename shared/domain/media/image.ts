/** Image inputs: their type and dimensions, read from the first bytes, and their problems. */
import { type AspectRatio, aspectRatios } from '../../contracts/generate-images.ts';
import { type InputLimits, inputLimits, ratioValue } from '../../contracts/media.ts';
import { fileExtent } from '../../media-files/file-extent.ts';
import { type ImageHead, imageHeadBytes, readImageHead } from '../../media-files/image-head.ts';
import type { Outbound } from '../../platform/outbound.ts';
import { type PeekedStream, peekStream } from '../../platform/peek-stream.ts';
import type { OutboundStream } from '../../platform/safe-fetch.ts';
import { fileProblem } from './file-limits.ts';
import { isProblem, type MediaProblem, problemOfFailure, truncated, unreadable } from './media-problem.ts';
import { openInput } from './open-input.ts';

/** The reader treats missing bytes as zeros, and may misread the data where it is cut off. */
const spareBytes = 16;

/** The head of a partially read image: trusted when it does not depend on the last bytes. */
function headSoFar(beginning: Uint8Array): ImageHead | undefined {
  const head = readImageHead(beginning);
  const before = head && readImageHead(beginning.subarray(0, -spareBytes));
  return before?.width === head?.width && before?.height === head?.height ? head : undefined;
}

/** Reads only as much of a stream as identifies the image. */
export const peekImage = (stream: AsyncIterable<Uint8Array>): Promise<PeekedStream> =>
  peekStream(stream, { maxBytes: imageHeadBytes, isEnough: (soFar) => headSoFar(soFar) !== undefined });

/** What the first bytes show, or why they show nothing. */
export function imageIn({ head, next, failure }: PeekedStream, limits: InputLimits): ImageHead | MediaProblem {
  const found = next === 'failure' ? headSoFar(head) : readImageHead(head);
  if (found) return fileProblem(found, limits) ?? found;
  return next === 'failure' ? problemOfFailure(failure, limits) : unreadable(limits.types);
}

/** Whether the announced length is too short for the image, as far as its head shows: the rest is not read for that. */
function isCutShort({ headers }: OutboundStream, { head }: PeekedStream): boolean {
  const announced = headers['content-length'];
  if (announced === undefined) return false;
  const extent = fileExtent();
  extent.add(head);
  return extent.isTruncated(Number(announced)) === true;
}

/** Counts the rest of a body whose length was not announced: an announced length was checked already. */
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
    // An image that is cut off or takes too long is judged by its first bytes.
    return problem.problem === 'unreachable' ? found : problem;
  }
}

/** Determines the type and dimensions of the image at a URL, and keeps only the bytes needed for that. */
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

/** The nearest ratio, where too wide counts as much as too high. */
export const nearestAspectRatio = ({ width, height }: Pick<ImageHead, 'width' | 'height'>): AspectRatio => {
  const distance = (ratio: AspectRatio) => Math.abs(Math.log(width / height / ratioValue(ratio)));
  return aspectRatios.reduce((best, ratio) => (distance(ratio) < distance(best) ? ratio : best));
};
