/** Creates a folder that only the current user can read, because it contains prompts, keys and URLs with secrets. */
import { chmodSync, mkdirSync } from 'node:fs';

export function makePrivateFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  // The permissions are set explicitly, because the folder may already exist with others.
  chmodSync(path, 0o700);
}
