/** In CI each property tests the same examples in every run, so that only a change can make it fail. */
import { configureGlobal } from 'fast-check';

if (process.env.CI) configureGlobal({ seed: 1 });
