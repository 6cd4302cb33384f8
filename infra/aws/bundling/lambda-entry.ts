/** The module that Lambda loads: a function's definition bound to a context from the environment. */
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'esbuild';

const resolveDir = fileURLToPath(new URL('../../../', import.meta.url));

export const lambdaEntry: Plugin = {
  name: 'lambda-entry',
  setup(bundling) {
    const namespace = 'lambda';
    bundling.onResolve({ filter: /^\.\/functions\// }, ({ kind, path }) =>
      kind === 'entry-point' ? { path: path.slice('./'.length), namespace } : undefined,
    );
    bundling.onLoad({ filter: /.*/, namespace }, ({ path }) => ({
      resolveDir,
      contents: `
        import { lambdaHandler } from './shared/runtime/lambda-handler.ts';
        import { definition } from './${path}';
        const { handler, warmUp } = lambdaHandler(definition);
        export { handler };
        // Only Lambda sets this variable. An error of the warm-up would also occur in a call, and is reported there.
        if (process.env.AWS_LAMBDA_INITIALIZATION_TYPE) await warmUp().catch(() => undefined);`,
    }));
  },
};
