/**
 * Settings for property tests: a single failing example is enough to detect a mutant, so it is not shrunk, and every
 * mutant is tested with the same examples.
 */
import { configureGlobal } from 'fast-check';

configureGlobal({ seed: 1, endOnFailure: true });
