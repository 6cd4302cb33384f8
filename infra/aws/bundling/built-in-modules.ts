/** Loads Node's built-in modules lazily in bundles. */
import { builtinModules } from 'node:module';
import type { Plugin } from 'esbuild';

const names = builtinModules.filter((name) => !name.startsWith('_')).map((name) => name.replace(/^node:/, ''));

/**
 * Replaces imports of built-in modules by `process.getBuiltinModule`. An `import` evaluates all exports of the module
 * (those of `http` include another HTTP client), which takes a fifth of a function's start; this evaluates only what is
 * used.
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

/** Defines `require`, which ESM lacks and CommonJS packages call in ways that a bundler cannot resolve. */
export const requireBanner = "const require=process.getBuiltinModule('node:module').createRequire(import.meta.url);";
