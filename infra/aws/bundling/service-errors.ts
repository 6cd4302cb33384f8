/** Leaves out of bundles the classes of AWS errors that the project does not name. */
import { globSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Plugin } from 'esbuild';

const clientImports = /import (?:type )?\{([^}]*)\} from '@aws-sdk\/client-/g;

/** The names that modules import from AWS clients. */
export const namesFromClients = (texts: readonly string[]): ReadonlySet<string> =>
  new Set(
    texts.flatMap((text) => [...text.matchAll(clientImports)].flatMap(([, list = '']) => list.match(/\w+/g) ?? [])),
  );

/**
 * The module of a client's schemas without the registrations of errors that are not `kept`, whose classes are then
 * unused. The client throws its base error with the name of the error instead.
 */
export const withoutErrorsIn = (schemas: string, kept: ReadonlySet<string>): string =>
  schemas.replaceAll(/^n0_registry\.registerError\(\w+\$, (\w+)\);$/gm, (line, name: string) =>
    kept.has(name) ? line : '',
  );

/** Only for clients that are in the bundles of all operations; other clients need these classes in event streams. */
export const serviceErrors: Plugin = {
  name: 'service-errors',
  setup(bundling) {
    const folder = join(bundling.initialOptions.absWorkingDir ?? process.cwd(), 'shared');
    const named = namesFromClients(
      globSync('**/*.ts', { cwd: folder }).map((file) => readFileSync(join(folder, file), 'utf8')),
    );
    const filter =
      /node_modules[\\/]@aws-sdk[\\/]client-(dynamodb|sfn|secrets-manager)[\\/]dist-es[\\/]schemas[\\/]schemas_0\.js$/;
    bundling.onLoad({ filter }, async ({ path }) => ({
      contents: withoutErrorsIn(await readFile(path, 'utf8'), named),
    }));
  },
};
