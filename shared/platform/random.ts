/** Unpredictable numbers, for choices that a client must not foresee. */
import { randomInt } from 'node:crypto';

/** A number from 0 up to, but excluding, 1. */
export type Random = () => number;

const steps = 2 ** 47;

export const unpredictable: Random = () => randomInt(steps) / steps;
