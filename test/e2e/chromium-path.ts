/** Finds Chromium on this machine. */
import { existsSync } from 'node:fs';

/** The headless shell comes first, because it takes half of the CPU time of the whole browser. */
const usualPaths = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** The path in the environment variable `CHROMIUM`, or one of the usual paths; undefined if there is no Chromium. */
export const chromiumPath = (): string | undefined =>
  process.env.CHROMIUM || usualPaths.find((path) => existsSync(path));
