/** The aspect ratio of the picture at an address, found out when a task is created. */
import {
  type AspectRatio,
  imageBytesExpectation,
  imageDimensionsExpectation,
} from '../../contracts/generate-images.ts';
import type { Outbound } from '../../platform/outbound.ts';
import { nearestAspectRatio, probePicture } from '../media/picture.ts';
import { Rejection } from '../rejection.ts';

/** The client is waiting. */
const lookMs = 5_000;

/**
 * A picture that can not be had or read now is taken as 1:1, and one of which no more than the head comes in time by that
 * head: the workflow will have another look at it. One that is known to be too large is refused.
 */
export async function aspectRatioAt(imageUrl: string, outbound: Outbound): Promise<AspectRatio> {
  const picture = await probePicture(outbound, imageUrl, lookMs);
  if (typeof picture !== 'string') return nearestAspectRatio(picture);
  if (picture === 'too-heavy') throw new Rejection('invalid', { message: `imageUrl ${imageBytesExpectation}` });
  if (picture === 'too-large') throw new Rejection('invalid', { message: `imageUrl ${imageDimensionsExpectation}` });
  return '1:1';
}
