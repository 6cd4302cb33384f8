/** Waits, for operations that check again later. */
import { setTimeout as sleep } from 'node:timers/promises';

export const pause = (milliseconds: number): Promise<void> => sleep(milliseconds);
