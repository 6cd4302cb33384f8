/** What a generation costs, in whole credits. */
import type { Prices } from '../../catalog/prices.ts';
import { countCodePoints } from '../../contracts/code-points.ts';

/** Characters are Unicode code points; a price unit that has begun counts in full. */
export const voiceCost = (text: string, { charactersPerCredit }: Prices['voice']): number =>
  Math.ceil(countCodePoints(text) / charactersPerCredit);

export const upscaleCost = (scale: 2 | 4, { creditsAtTwice, creditsAtFourTimes }: Prices['imageUpscale']): number =>
  scale === 2 ? creditsAtTwice : creditsAtFourTimes;
