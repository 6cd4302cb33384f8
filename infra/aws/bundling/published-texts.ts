/** Puts the finished texts of the OpenAPI document into bundles, in place of the registry and all that renders it. */
import type { Plugin } from 'esbuild';
import { openapiText, placeholders, referenceText } from '../../../shared/contracts/openapi/published.ts';

export const publishedTexts: Plugin = {
  name: 'published-texts',
  setup(bundling) {
    bundling.onLoad({ filter: /shared[\\/]contracts[\\/]openapi[\\/]published\.ts$/ }, () => ({
      contents: `
        export const placeholders = ${JSON.stringify(placeholders)};
        export const openapiText = () => ${JSON.stringify(openapiText())};
        export const referenceText = () => ${JSON.stringify(referenceText())};`,
    }));
  },
};
