/** A folder that only the user who runs the service can read: it holds prompts, keys and addresses with secrets in them. */
import { chmodSync, mkdirSync } from 'node:fs';

export function makePrivateFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  // It may be older, and made with other rights.
  chmodSync(path, 0o700);
}
