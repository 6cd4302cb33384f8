/** Gives the bundles Node's own modules one by one as they are used. */
import { builtinModules } from 'node:module';
import type { Plugin } from 'esbuild';

const names = builtinModules.filter((name) => !name.startsWith('_')).map((name) => name.replace(/^node:/, ''));

/**
 * An `import` of a built-in module reads everything that it exports, in Node's http an HTTP client of its own: a fifth of
 * a function's start. `process.getBuiltinModule` reads nothing that is not used.
 */
export const builtInModules: Plugin = {
  name: 'built-in-modules',
  setup(bundling) {
    const namespace = 'built-in';
    bundling.onResolve({ filter: new RegExp(`^(node:)?(${names.join('|')})$`) }, ({ path }) => ({
      path: path.replace(/^node:/, ''),
      namespace,
    }));
    bundling.onLoad({ filter: /.*/, namespace }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule('node:${path}');`,
    }));
  },
};

/** ESM has no `require`; packages that are CommonJS inside use it where no bundler can follow. */
export const requireBanner = "const require=process.getBuiltinModule('node:module').createRequire(import.meta.url);";
