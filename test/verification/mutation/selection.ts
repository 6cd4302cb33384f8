/** The modules, files and tests that the command line selects. */
import { parseArgs } from 'node:util';
import { type ModuleName, moduleNames, modules, quickFiles, testsOf } from './modules.ts';

export interface Selection {
  readonly modules: readonly ModuleName[];
  readonly files: readonly string[];
  /** Patterns of test files. */
  readonly tests: readonly string[];
}

/** The environment variable by which the selected tests reach the processes that run them. */
export const mutationTestsVariable = 'MUTATION_TESTS';

const isModule = (name: string): name is ModuleName => moduleNames.some((known) => known === name);

const unique = <Value>(values: readonly Value[]): Value[] => [...new Set(values)];

/** Reads `--module <name>`, which may be repeated, and `--quick`. @throws {Error} a sentence that says what is wrong. */
export function selectionOf(args: readonly string[]): Selection {
  const { values } = parseArgs({
    args: [...args],
    options: { module: { type: 'string', multiple: true }, quick: { type: 'boolean' } },
  });
  const named = values.module ?? moduleNames;
  const unknown = named.find((name) => !isModule(name));
  if (unknown !== undefined) {
    throw new Error(`There is no module ${unknown}; the modules are ${moduleNames.join(', ')}.`);
  }
  const wanted = (file: string): boolean => !values.quick || quickFiles.includes(file);
  const chosen = unique(named.filter(isModule)).filter((name) => modules[name].some(wanted));
  const files = unique(chosen.flatMap((name) => modules[name].filter(wanted)));
  return { modules: chosen, files, tests: unique(files.flatMap(testsOf)) };
}
