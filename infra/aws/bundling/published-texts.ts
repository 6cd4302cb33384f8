/** Bundles the rendered OpenAPI documents instead of the registry and the code that renders them. */
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
