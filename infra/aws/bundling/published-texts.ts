/** Bundles the OpenAPI document instead of the registry, and names the files beside a bundle. */
import type { Plugin } from 'esbuild';
import { openapiText, placeholders } from '../../../shared/contracts/openapi/published.ts';

export const publishedTexts: Plugin = {
  name: 'published-texts',
  setup(bundling) {
    bundling.onLoad({ filter: /shared[\\/]contracts[\\/]openapi[\\/]published\.ts$/ }, () => ({
      contents: `
        export const placeholders = ${JSON.stringify(placeholders)};
        export const openapiText = () => ${JSON.stringify(openapiText())};`,
    }));
    bundling.onLoad({ filter: /shared[\\/]provenance[\\/]c2pa-wasm-file\.ts$/ }, () => ({
      contents: `
        import { join } from 'node:path';
        export const c2paWasmFile = () => join(import.meta.dirname, 'c2pa.wasm');`,
    }));
    bundling.onLoad({ filter: /shared[\\/]platform[\\/]built-folder\.ts$/ }, () => ({
      contents: `
        import { join } from 'node:path';
        export const builtFolder = (name) => join(import.meta.dirname, name);`,
    }));
  },
};
