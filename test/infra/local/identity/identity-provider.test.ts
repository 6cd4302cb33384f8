/** The limits of the local identity provider. */
import { afterAll, expect, test } from 'vitest';
import { startIdentityProvider } from '../../../../infra/local/identity/identity-provider.ts';

const provider = await startIdentityProvider({ siteUrl: 'http://localhost:9', now: Date.now });
afterAll(() => provider.close());

const send = (Username: string) =>
  fetch(provider.url, {
    method: 'POST',
    headers: { 'x-amz-target': 'AWSCognitoIdentityProviderService.AdminGetUser' },
    body: JSON.stringify({ Username }),
  });

test('a request of over 64 KiB to the local identity provider is not parsed', async () => {
  expect(await (await send('a'.repeat(60_000))).text()).toContain('ResourceNotFoundException');
  // The connection may be closed before the response arrives.
  const response = await send('a'.repeat(2 ** 16)).catch(() => undefined);
  expect((await response?.text()) ?? '').not.toContain('ResourceNotFoundException');
});
