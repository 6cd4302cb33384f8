/** Bundles the OpenAPI document instead of the registry, and names the folder of the documentation in a bundle. */
import type { Plugin } from 'esbuild';
import { openapiText, placeholders } from '../../../shared/contracts/openapi/published.ts';

/** The folder of the documentation site, beside the program of the function that serves it. */
export const bundledDocs = 'docs';

export const publishedTexts: Plugin = {
  name: 'published-texts',
  setup(bundling) {
    bundling.onLoad({ filter: /shared[\\/]contracts[\\/]openapi[\\/]published\.ts$/ }, () => ({
      contents: `
        export const placeholders = ${JSON.stringify(placeholders)};
        export const openapiText = () => ${JSON.stringify(openapiText())};`,
    }));
    bundling.onLoad({ filter: /shared[\\/]platform[\\/]docs-folder\.ts$/ }, () => ({
      contents: `
        import { join } from 'node:path';
        export const docsFolder = join(import.meta.dirname, '${bundledDocs}');`,
    }));
  },
};
