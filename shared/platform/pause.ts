/** Waits between the checks of a polling loop. */
import { setTimeout as sleep } from 'node:timers/promises';

export const pause = (milliseconds: number): Promise<void> => sleep(milliseconds);
