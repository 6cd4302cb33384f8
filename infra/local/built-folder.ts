/** Folders of files that are built from sources of the project, and built again when a source changes. */
import { existsSync, globSync, mkdirSync, mkdtempSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

export const project = join(import.meta.dirname, '../..');

export interface BuiltFolder {
  readonly folder: string;
  /** Patterns of the source files from which the folder is built. */
  readonly sources: readonly string[];
  /** Builds into another, empty folder. @throws {Error} */
  readonly build: (folder: string) => Promise<void>;
}

function isUpToDate({ folder, sources }: BuiltFolder): boolean {
  if (!existsSync(folder)) return false;
  const builtAt = statSync(folder).mtimeMs;
  return globSync(sources, { cwd: project }).every((file) => statSync(join(project, file)).mtimeMs <= builtAt);
}

/** Builds into a new folder, so that a page in use never misses a file and two processes can build concurrently. */
export async function bringUpToDate(built: BuiltFolder): Promise<void> {
  if (isUpToDate(built)) return;
  mkdirSync(dirname(built.folder), { recursive: true });
  const folder = mkdtempSync(`${built.folder}-`);
  try {
    await built.build(folder);
    rmSync(built.folder, { recursive: true, force: true });
    renameSync(folder, built.folder);
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    if (!isUpToDate(built)) throw error;
  }
}

/** Calls the function for the first caller, and again for a later caller only if it failed. */
export function onceDone(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () => {
    done ??= work().catch((error: unknown) => {
      done = undefined;
      throw error;
    });
    return done;
  };
}

/** Runs builds one after the other, before anything asks for their files. A failed one is reported by who asks later. */
export async function buildAhead(builds: readonly (() => Promise<void>)[]): Promise<void> {
  for (const build of builds) await build().catch(() => undefined);
}
