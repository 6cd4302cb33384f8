/** A folder for the time of a measurement. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Gone with the process, whichever way that ends. */
export function temporaryDirectory(name: string): string {
  const directory = mkdtempSync(join(tmpdir(), `generation-service-${name}-`));
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }));
  return directory;
}
