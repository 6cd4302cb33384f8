/**
 * Resolves the imports of source files by themselves, which takes less CPU time: otherwise Node looks for each file, and
 * Vitest reports each import to its main process, which needs them only when it watches.
 */
import { registerHooks } from 'node:module';

const registered = Symbol.for('direct imports');

// Setup files run again for each test file of a process.
if (!(registered in globalThis)) {
  Object.assign(globalThis, { [registered]: true });
  registerHooks({
    resolve(specifier, context, next) {
      if (!/^\.\.?\/.*\.ts$/.test(specifier) || !context.parentURL) return next(specifier, context);
      return { url: new URL(specifier, context.parentURL).href, shortCircuit: true };
    },
  });
}
