/** Files that were signed before and after a rotation of the key. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { localContentKey } from '../../infra/local/content-key.ts';
import { systemClock } from '../../shared/platform/clock.ts';
import { settingsOf, settingVariables } from '../../shared/platform/settings.ts';
import { contentCredentials } from '../../shared/provenance/content-credentials.ts';
import { readCredentials } from '../support/read-credentials.ts';
import { tinyPng } from '../support/tiny-image.ts';

const png = tinyPng(32, 24);

/** A signer with a key of its own, and the authority of its certificate. */
function newSigner() {
  const folder = mkdtempSync(join(tmpdir(), 'content-key-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const { key, certificates } = localContentKey(folder);
  const settings = settingsOf({
    [settingVariables.contentSigningKey]: key,
    [settingVariables.contentCertificates]: certificates,
  });
  const authority = readFileSync(join(folder, 'content', 'authority.pem'), 'utf8');
  return { ...contentCredentials({ clock: systemClock, settings }), authority };
}

test('after a key rotation, results are signed with the new key, and files signed with the old key stay valid, even as inputs', async () => {
  const [old, next] = [newSigner(), newSigner()];
  const contentType = 'image/png';
  const made = { softwareAgent: 'engine/model', at: '2026-01-02T03:04:05.000Z' };
  const before = await old.mark(png, contentType, {
    ...made,
    digitalSourceType: 'trainedAlgorithmicMedia',
    inputs: [],
  });
  const after = await next.mark(png, contentType, {
    ...made,
    digitalSourceType: 'compositeWithTrainedAlgorithmicMedia',
    inputs: [{ isEdited: true, contentType, bytes: before.bytes }],
  });
  const given = [before, after].map(({ bytes }) => ({ bytes, contentType }));
  const statesWith = async (authorities: string) =>
    (await readCredentials(given, authorities)).map(({ state }) => state);
  expect(await statesWith(old.authority + next.authority)).toEqual(['Trusted', 'Trusted']);
  expect(await statesWith(next.authority)).toEqual(['Valid', 'Trusted']);
});
