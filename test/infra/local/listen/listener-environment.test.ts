import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { listenerEnvironment } from '../../../../infra/local/listen/listener-environment.ts';
import { writeServiceFile } from '../../../../infra/local/service-file.ts';

test('the webhook listener verifies with the keys of the service that runs on this machine, unless the user names another', () => {
  const LOCAL_DATA_DIR = mkdtempSync(join(tmpdir(), 'listener-'));
  onTestFinished(() => rmSync(LOCAL_DATA_DIR, { recursive: true }));
  expect(listenerEnvironment({ LOCAL_DATA_DIR })).toEqual({});
  writeServiceFile(LOCAL_DATA_DIR, { pid: process.pid, url: 'http://127.0.0.1:3910', environment: {} });
  expect(listenerEnvironment({ LOCAL_DATA_DIR })).toEqual({ API_URL: 'http://127.0.0.1:3910' });
  expect(listenerEnvironment({ LOCAL_DATA_DIR, API_URL: 'https://api.example.com' })).toEqual({});
});
