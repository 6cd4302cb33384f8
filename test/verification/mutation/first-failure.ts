/** One failing example kills a mutant: no smaller one is looked for, and every mutant meets the same examples. */
import { configureGlobal } from 'fast-check';

configureGlobal({ seed: 1, endOnFailure: true });
