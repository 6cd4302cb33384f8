/** Records of a sandbox by id, oldest first, in a file that survives restarts; each line is a change in JSON. */
import { closeSync, openSync, readFileSync, renameSync, writeFileSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { jsonIn } from '../shared/platform/json-in.ts';
import { makePrivateFolder } from './private-folder.ts';

export interface SavedRecords<Record> {
  readonly byId: ReadonlyMap<string, Record>;
  put(id: string, record: Record): void;
  close(): void;
}

const lineOf = (id: string, record: unknown): string => `${JSON.stringify([id, record])}\n`;

/** Reads the records; a line that a crash has truncated is ignored. */
function readRecords<Record>(path: string): Map<string, Record> {
  let text = '';
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const lines = text.split('\n').map((line) => jsonIn(line));
  return new Map(lines.filter((line) => Array.isArray(line)) as [string, Record][]);
}

/** Rewrites the file without replaced records, and opens it. */
function openFile(path: string, records: ReadonlyMap<string, unknown>): number {
  const lines = [...records].map(([id, record]) => lineOf(id, record));
  writeFileSync(`${path}.new`, lines.join(''), { mode: 0o600 });
  renameSync(`${path}.new`, path);
  return openSync(path, 'a', 0o600);
}

/** Opens the records; without a path, they are lost with the process. */
export function savedRecords<Record>(path: string | undefined): SavedRecords<Record> {
  if (path !== undefined) makePrivateFolder(dirname(path));
  const byId = path === undefined ? new Map<string, Record>() : readRecords<Record>(path);
  const file = path === undefined ? undefined : openFile(path, byId);
  return {
    byId,
    put(id, record) {
      byId.set(id, record);
      if (file !== undefined) writeSync(file, lineOf(id, record));
    },
    close() {
      if (file !== undefined) closeSync(file);
    },
  };
}
