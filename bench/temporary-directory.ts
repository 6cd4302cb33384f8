/** A temporary directory for a measurement. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Creates the directory, which is removed when the process exits in any way. */
export function temporaryDirectory(name: string): string {
  const directory = mkdtempSync(join(tmpdir(), `generation-service-${name}-`));
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }));
  return directory;
}
