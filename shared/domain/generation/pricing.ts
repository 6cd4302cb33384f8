/** What a generation costs, in whole credits, from the request alone. */
import type { Prices } from '../../catalog/prices.ts';
import { countCodePoints } from '../../contracts/code-points.ts';

/** Characters are Unicode code points; a price unit begun is a unit. */
export const voiceCost = (text: string, { charactersPerCredit }: Prices['voice']): number =>
  Math.ceil(countCodePoints(text) / charactersPerCredit);

export const imageCost = (numImages: number, { creditsPerImage }: Prices['image']): number =>
  numImages * creditsPerImage;

export const upscaleCost = (scale: 2 | 4, { creditsAtTwice, creditsAtFourTimes }: Prices['imageUpscale']): number =>
  scale === 2 ? creditsAtTwice : creditsAtFourTimes;
