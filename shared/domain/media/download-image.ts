/** Downloads images completely and checks them by their content, for images that the service itself inspects. */
import { inputLimits } from '../../contracts/media.ts';
import { isTruncated } from '../../media-files/file-extent.ts';
import { type ImageHead, readImageHead } from '../../media-files/image-head.ts';
import { collectBytes } from '../../platform/limit-bytes.ts';
import type { Outbound } from '../../platform/outbound.ts';
import { fileProblem } from './file-limits.ts';
import { isProblem, type MediaProblem, problemOfFailure, truncated, unreadable } from './media-problem.ts';
import { openInput } from './open-input.ts';

export interface WholeImage extends ImageHead {
  readonly bytes: Uint8Array;
}

const limits = inputLimits.image;

/** Identifies the image from its bytes, whatever type was announced. */
export function wholeImage(bytes: Uint8Array): WholeImage | MediaProblem {
  const head = readImageHead(bytes);
  if (!head) return unreadable(limits.types);
  return fileProblem(head, limits) ?? (isTruncated(bytes) ? truncated : { ...head, bytes });
}

export async function downloadImage(
  outbound: Pick<Outbound, 'open'>,
  url: string,
  timeoutMs: number,
): Promise<WholeImage | MediaProblem> {
  const stream = await openInput(outbound, url, limits, { timeoutMs });
  if (isProblem(stream)) return stream;
  try {
    return wholeImage(await collectBytes(stream.body, limits.maxBytes));
  } catch (error) {
    return problemOfFailure(error, limits);
  } finally {
    stream.close();
  }
}
