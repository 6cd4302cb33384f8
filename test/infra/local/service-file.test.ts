/** How the operator's command line finds a running local service. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readServiceFile, writeServiceFile } from '../../../infra/local/service-file.ts';

let dataDir: string;

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'generation-service-file-'));
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

test('a running service is found through its service file, with the recorded description', () => {
  const service = { pid: process.pid, url: 'http://127.0.0.1:3000', environment: { TABLE_NAME: 'table' } };
  writeServiceFile(dataDir, service);
  expect(readServiceFile(dataDir)).toEqual(service);
});

test('a service that has ended is not found through its service file', () => {
  // The largest process id is smaller than this on every system.
  writeServiceFile(dataDir, { pid: 2 ** 30, url: 'http://127.0.0.1:3000', environment: {} });
  expect(readServiceFile(dataDir)).toBeUndefined();
});

test.for(['', '{', '[]', '{"pid":1}', '{"pid":"x","url":"","environment":{}}'])(
  'a damaged service file, %j, is reported by name with advice',
  (text) => {
    writeFileSync(join(dataDir, 'service.json'), text);
    const path = join(dataDir, 'service.json');
    expect(() => readServiceFile(dataDir)).toThrow(`The file ${path} is damaged: stop the service and start it again.`);
  },
);
