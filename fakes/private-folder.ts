/** Creates a folder that only the current user can read, because it contains prompts, keys and URLs with secrets. */
import { chmodSync, mkdirSync } from 'node:fs';

export function makePrivateFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  // Set explicitly, because the folder may exist with other permissions.
  chmodSync(path, 0o700);
}
