/** A temporary directory for a measurement. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Removed when the process exits, however it exits. */
export function temporaryDirectory(name: string): string {
  const directory = mkdtempSync(join(tmpdir(), `generation-service-${name}-`));
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }));
  return directory;
}
