/** Replaces modules of packages in the bundles, and fails the build when a package is no longer what was replaced. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { sep } from 'node:path';
import type { OnLoadResult, Plugin } from 'esbuild';

export interface Replacement {
  /** Its path in node_modules. */
  readonly module: string;
  /** Of the text that was read when the replacement was written; without it, `replace` itself finds out. */
  readonly sha256?: string;
  /** @throws {Error} when the text is not what it should be. */
  readonly replace: (text: string) => string;
}

const marker = '/node_modules/';

/** Undefined for a file that belongs to no package. */
const moduleOf = (path: string): string | undefined => path.replaceAll(sep, '/').split(marker).at(-1);

async function replaced({ sha256, replace }: Replacement, path: string): Promise<OnLoadResult> {
  const text = await readFile(path, 'utf8');
  const found = createHash('sha256').update(text).digest('hex');
  if (sha256 !== undefined && found !== sha256) {
    return { errors: [{ text: `This module has changed (its SHA-256 is ${found}): check what replaces it.` }] };
  }
  return { contents: replace(text), loader: 'js' };
}

/** A module that no function loads any more is an error as well: what replaced it may be needed under another name. */
export const replacedModules = (replacements: readonly Replacement[]): Plugin => ({
  name: 'replaced-modules',
  setup(bundling) {
    const byModule = new Map(replacements.map((replacement) => [replacement.module, replacement]));
    const endings = replacements.map(({ module }) => RegExp.escape(module).replaceAll('\\/', '[\\\\/]'));
    const missing = new Set(byModule.keys());
    bundling.onLoad({ filter: new RegExp(`node_modules[\\\\/](${endings.join('|')})$`) }, ({ path }) => {
      const replacement = byModule.get(moduleOf(path) ?? '');
      if (!replacement) return undefined;
      missing.delete(replacement.module);
      return replaced(replacement, path);
    });
    bundling.onEnd(() => ({
      errors: [...missing].map((module) => ({ text: `No function loads ${module} any more.` })),
    }));
  },
});
