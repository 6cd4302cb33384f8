/** Bundles the OpenAPI document and the schemas of forms instead of the code that makes them, and names the files beside a bundle. */
import type { Plugin } from 'esbuild';
import { openapiText, placeholders } from '../../../shared/contracts/openapi/published.ts';
import { offeredForms } from '../../../shared/domain/act-forms/offered-forms.ts';
import { memberSchemas } from '../../../shared/domain/catalog/member-schemas.ts';

/** A module with a function that returns a value. */
const returning = (name: string, value: unknown) => ({
  contents: `export const ${name} = () => (${JSON.stringify(value)});`,
});

export const publishedTexts: Plugin = {
  name: 'published-texts',
  setup(bundling) {
    bundling.onLoad({ filter: /shared[\\/]contracts[\\/]openapi[\\/]published\.ts$/ }, () => ({
      contents: `
        export const placeholders = ${JSON.stringify(placeholders)};
        export const openapiText = () => ${JSON.stringify(openapiText())};`,
    }));
    bundling.onLoad({ filter: /shared[\\/]domain[\\/]act-forms[\\/]offered-forms\.ts$/ }, () =>
      returning('offeredForms', offeredForms()),
    );
    bundling.onLoad({ filter: /shared[\\/]domain[\\/]catalog[\\/]member-schemas\.ts$/ }, () =>
      returning('memberSchemas', memberSchemas()),
    );
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
