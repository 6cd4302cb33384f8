/** A single failing example kills a mutant: it is not shrunk, and every mutant is tested with the same examples. */
import { configureGlobal } from 'fast-check';

configureGlobal({ seed: 1, endOnFailure: true });
