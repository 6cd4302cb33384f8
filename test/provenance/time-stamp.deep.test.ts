/** Time stamps of marked files, read with c2pa-python, and marking without an available authority. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { localContentKey } from '../../infra/local/content-key.ts';
import { makeTestMedia } from '../../shared/engines/test-mode/media/test-media.ts';
import { systemClock } from '../../shared/platform/clock.ts';
import { settingsOf, settingVariables } from '../../shared/platform/settings.ts';
import { contentCredentials } from '../../shared/provenance/content-credentials.ts';
import { timeStampRequest, timeStampsOf } from '../../shared/provenance/time-stamp.ts';
import { localServer } from '../support/local-server.ts';
import { readCredentials } from '../support/read-credentials.ts';
import { stillClock } from '../support/stepped-clock.ts';
import { timeStampAuthority } from '../support/time-stamp-authority.ts';

const keysDir = mkdtempSync(join(tmpdir(), 'content-key-'));
afterAll(() => rmSync(keysDir, { recursive: true }));
const { key, certificates } = localContentKey(keysDir);

const png = makeTestMedia('test:png?width=320&height=240&seconds=3&sound=true&paper=%23aabbcc&word=%23000000');

const markWith = (timeStampUrl: string) =>
  contentCredentials({
    clock: systemClock,
    settings: settingsOf({
      [settingVariables.contentSigningKey]: key,
      [settingVariables.contentCertificates]: certificates,
      [settingVariables.timeStampUrl]: timeStampUrl,
    }),
  }).mark(png, 'image/png', {
    digitalSourceType: 'trainedAlgorithmicMedia',
    softwareAgent: 'engine/model',
    at: '2026-01-02T03:04:05.000Z',
    inputs: [],
  });

test('a time-stamp request is the same as that of OpenSSL for the same content', () => {
  // openssl ts -query -data - -sha256 -cert -no_nonce
  expect(Buffer.from(timeStampRequest(Buffer.from('This is the content.'))).toString('hex')).toBe(
    '30390201013031300d06096086480165030402010500042009e638d4aa95fd7271866203595303bce232f462a94d38e393773cd3aae3f6b00101ff',
  );
});

test('a signed file has a valid time stamp of the configured authority, and is at most 16 KB larger', async () => {
  const tsa = await timeStampAuthority();
  onTestFinished(() => tsa.close());
  const { bytes, isUnstamped } = await markWith(tsa.url);
  expect(isUnstamped).toBe(false);
  expect(bytes.length - png.length).toBeLessThan(16 * 1024);
  const authorities = readFileSync(join(keysDir, 'content', 'authority.pem'), 'utf8') + tsa.certificate;
  const [read] = await readCredentials([{ bytes, contentType: 'image/png' }], authorities);
  expect(read).toMatchObject({ state: 'Trusted', complaints: [] });
  expect(read?.json).toContain('timeStamp.validated');
  expect(read?.json).toContain('timeStamp.trusted');
});

const failures: readonly (readonly [what: string, start: () => Promise<string>])[] = [
  ['does not answer', async () => 'http://127.0.0.1:9/'],
  ['refuses', () => answering(Buffer.from('30053003020102', 'hex'))],
  ['sends a page', () => answering(Buffer.from('<html>not today</html>'))],
  ['sends no end of bytes', () => answering(Buffer.alloc(100_000, 0x30))],
];

test.for(failures)(
  'a file is signed without a time stamp, which is reported, if the time-stamp authority %s',
  async ([, start]) => {
    const { bytes, isUnstamped } = await markWith(await start());
    expect(isUnstamped).toBe(true);
    const [read] = await readCredentials([{ bytes, contentType: 'image/png' }]);
    expect(read?.state).toBe('Valid');
    expect(read?.json).not.toContain('timeStamp');
  },
);

async function answering(answer: Buffer): Promise<string> {
  const server = await localServer((_request, response) => {
    response.end(answer);
  });
  onTestFinished(() => server.close());
  return server.url;
}

test('a time-stamp authority that did not respond is asked again after a minute, so that few results wait for it', async () => {
  let requests = 0;
  const server = await localServer((_request, response) => {
    requests += 1;
    response.destroy();
  });
  onTestFinished(() => server.close());
  const clock = stillClock();
  const stamp = timeStampsOf(server.url, clock);
  const fails = () => expect(stamp(Buffer.from('a signature'))).rejects.toThrow('did not answer');
  await fails();
  await fails();
  clock.advance(59_999);
  await fails();
  expect(requests).toBe(1);
  clock.advance(1);
  await fails();
  expect(requests).toBe(2);
});
