/** Folders of files that are built from sources of the project, and built again when a source changes. */
import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { withFileLock } from '../toolchain/file-lock.ts';

export const project = join(import.meta.dirname, '../..');

export interface BuiltFolder {
  readonly folder: string;
  /** Patterns of the source files from which the folder is built. */
  readonly sources: readonly string[];
  /** Builds into another, empty folder. @throws {Error} */
  readonly build: (folder: string) => Promise<void>;
}

/** A hash of everything that a folder is built from, and of the Node that builds it. */
function stampOf(sources: readonly string[]): string {
  const hash = createHash('sha256').update(process.version);
  for (const path of globSync(sources, { cwd: project }).sort())
    hash.update(`\0${path}\0`).update(readFileSync(resolve(project, path)));
  return hash.digest('hex');
}

/**
 * Builds into a new folder and then replaces the old one, so that files of a page in use are never missing. Concurrent
 * processes wait for the one that builds.
 */
export async function bringUpToDate({ folder, sources, build }: BuiltFolder): Promise<void> {
  mkdirSync(dirname(folder), { recursive: true });
  const stampFile = `${folder}.made-from`;
  await withFileLock(`${folder}.lock`, async () => {
    const stamp = stampOf(sources);
    if (existsSync(folder) && existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return;
    const made = mkdtempSync(`${folder}-`);
    try {
      await build(made);
      rmSync(folder, { recursive: true, force: true });
      renameSync(made, folder);
      writeFileSync(stampFile, stamp);
    } finally {
      rmSync(made, { recursive: true, force: true });
    }
  });
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

/** A build that writes to the terminal why it failed, which the response to a request does not say. */
export const reported = (build: () => Promise<void>) => async (): Promise<void> => {
  try {
    await build();
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    throw error;
  }
};

/**
 * Runs builds one after the other, before any of their files are requested. A failure is reported by the request that
 * needs the files.
 */
export async function buildAhead(builds: readonly (() => Promise<void>)[]): Promise<void> {
  for (const build of builds) await build().catch(() => undefined);
}
