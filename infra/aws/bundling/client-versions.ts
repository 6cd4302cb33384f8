/** Leaves of an SDK client's package file what the client reads of it: its version. */
import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';

export const clientVersions: Plugin = {
  name: 'client-versions',
  setup(bundling) {
    bundling.onLoad({ filter: /node_modules[\\/]@aws-sdk[\\/]client-[^\\/]+[\\/]package\.json$/ }, async ({ path }) => {
      const { version } = JSON.parse(await readFile(path, 'utf8')) as { version: string };
      return { contents: JSON.stringify({ version }), loader: 'json' };
    });
  },
};
