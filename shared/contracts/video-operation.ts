/** What the contracts of operations that result in videos have in common. */
import { timeLimitSeconds } from './limits.ts';

export const videoOperation = {
  scope: 'generate:video',
  medium: 'video',
  timeLimitSeconds: timeLimitSeconds.video,
  showsSubmitted: true,
} as const;
