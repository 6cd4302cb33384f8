/** Where each function is implemented: its file, and its capability, which is the file's folder. */
import { globSync } from 'node:fs';
import { basename, dirname, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FunctionName } from '../hosting.ts';
import { functionNames } from './grants.ts';

const project = fileURLToPath(new URL('../../', import.meta.url));

const camelCase = (kebabCase: string): string =>
  kebabCase.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

/** Files by function name: `functions/tasks/get-task.ts` implements `getTask`. @throws {Error} */
export function functionFiles(): Map<string, string> {
  const files = new Map<string, string>();
  for (const path of globSync('functions/*/*.ts', { cwd: project }).sort()) {
    const file = path.replaceAll(sep, '/');
    const name = camelCase(basename(file, '.ts'));
    const other = files.get(name);
    if (other) throw new Error(`the function ${name} is in two files, ${other} and ${file}`);
    files.set(name, file);
  }
  return files;
}

/** The functions of each capability. @throws {Error} */
export function capabilities(): ReadonlyMap<string, readonly FunctionName[]> {
  const files = functionFiles();
  return Map.groupBy(functionNames, (name) => {
    const file = files.get(name);
    if (!file) throw new Error(`the function ${name} has no file`);
    return basename(dirname(file));
  });
}
