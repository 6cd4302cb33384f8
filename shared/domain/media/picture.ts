/** Pictures as inputs: what is taken, and what is wrong with one that is not. */
import {
  type AspectRatio,
  aspectRatios,
  imageBytesLimit,
  imagePixelsLimit,
  imageSideLimit,
} from '../../contracts/generate-images.ts';
import { type ImageHead, imageHeadBytes, readImageHead } from '../../platform/image-head.ts';
import type { Outbound } from '../../platform/outbound.ts';
import type { Verdict } from '../../platform/request-url.ts';
import {
  OutboundFailed,
  OutboundRefused,
  type OutboundRequest,
  type OutboundResponse,
} from '../../platform/safe-fetch.ts';

export interface Picture extends ImageHead {
  readonly bytes: Uint8Array;
}

/** Why a picture is not to be had: out of reach, too large a file, no picture, too many pixels. */
export type PictureProblem = 'unreachable' | 'too-heavy' | 'unreadable' | 'too-large';

const isTooLarge = ({ width, height }: ImageHead): boolean =>
  width > imageSideLimit || height > imageSideLimit || width * height > imagePixelsLimit;

/** A reader takes bytes that have yet to come for zeros, and may stumble over where they break off. */
const spareBytes = 16;

/** The head of a picture of which only the beginning is there: believed when the reader can do without the last bytes. */
function headSoFar(beginning: Uint8Array): ImageHead | undefined {
  const bytes = beginning.subarray(0, imageHeadBytes);
  const head = readImageHead(bytes);
  const before = head && readImageHead(bytes.subarray(0, -spareBytes));
  return before?.width === head?.width && before?.height === head?.height ? head : undefined;
}

/** Watches a picture come, and has enough as soon as it is known to have too many pixels. */
function lookout() {
  let seen: ImageHead | undefined;
  return {
    seen: () => seen,
    look: ({ status, body }: OutboundResponse): Verdict => {
      if (status === 200) seen ??= headSoFar(body);
      return seen && isTooLarge(seen) ? 'enough' : 'go on';
    },
  };
}

type Gone = Extract<PictureProblem, 'unreachable' | 'too-heavy'>;

/** The bytes at an address, as far as they are kept; counted whether kept or not. */
async function download(
  { fetch }: Pick<Outbound, 'fetch'>,
  url: string,
  asked: Pick<OutboundRequest, 'timeoutMs' | 'look' | 'maxKeptBytes'>,
): Promise<Uint8Array | Gone> {
  const bounds = { maxResponseBytes: imageBytesLimit, onOverflow: 'fail', maxRedirects: 3 } as const;
  try {
    const { status, body } = await fetch(url, { method: 'GET', headers: { accept: 'image/*' }, ...bounds, ...asked });
    return status === 200 ? body : 'unreachable';
  } catch (error) {
    if (error instanceof OutboundFailed) return error.reason === 'too-large' ? 'too-heavy' : 'unreachable';
    if (error instanceof OutboundRefused) return 'unreachable';
    throw error;
  }
}

function judge(bytes: Uint8Array): ImageHead | PictureProblem {
  const head = readImageHead(bytes);
  if (!head) return 'unreadable';
  return isTooLarge(head) ? 'too-large' : head;
}

/** Gets a picture from an address that a user gave, and never more of it than is allowed. */
export async function fetchPicture(
  outbound: Pick<Outbound, 'fetch'>,
  url: string,
  timeoutMs: number,
): Promise<Picture | PictureProblem> {
  const { look, seen } = lookout();
  const bytes = await download(outbound, url, { timeoutMs, look });
  const head = seen();
  if (head && isTooLarge(head)) return 'too-large';
  if (typeof bytes === 'string') return bytes;
  const verdict = judge(bytes);
  return typeof verdict === 'string' ? verdict : { ...verdict, bytes };
}

/**
 * Finds out what a picture is, and keeps no more of it than tells that. All of it is counted; when it breaks off or takes
 * too long, what had come of it counts.
 */
export async function probePicture(
  outbound: Pick<Outbound, 'fetch'>,
  url: string,
  timeoutMs: number,
): Promise<ImageHead | PictureProblem> {
  const { look, seen } = lookout();
  const bytes = await download(outbound, url, { timeoutMs, look, maxKeptBytes: imageHeadBytes });
  const head = seen();
  if (head && isTooLarge(head)) return 'too-large';
  if (bytes === 'unreachable') return head ?? bytes;
  return typeof bytes === 'string' ? bytes : judge(bytes);
}

const proportion = (ratio: AspectRatio): number => {
  const [width = 1, height = 1] = ratio.split(':').map(Number);
  return width / height;
};

/** The ratio that a picture is nearest to, as much too wide counting like as much too high. */
export const nearestAspectRatio = ({ width, height }: Pick<ImageHead, 'width' | 'height'>): AspectRatio => {
  const distance = (ratio: AspectRatio) => Math.abs(Math.log(width / height / proportion(ratio)));
  return aspectRatios.reduce((best, ratio) => (distance(ratio) < distance(best) ? ratio : best));
};
