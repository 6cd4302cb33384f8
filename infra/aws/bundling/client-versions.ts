/** Reduces the package file of an SDK client to its version, which is all that the client reads. */
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
