/** Creates accounts with something of every kind that the erasure removes. */
import { insertFile, keepFile } from '../../shared/domain/files/file-store.ts';
import { invite } from '../../shared/domain/sessions/invitation.ts';
import { accountOf } from '../../shared/domain/sessions/sign-up.ts';
import { issueToken } from '../../shared/domain/tokens/issue-token.ts';
import { webhookSecretsOf } from '../../shared/platform/webhook-secrets.ts';
import { giveInbox } from './given-inbox.ts';
import { giveOrder } from './given-order.ts';
import { giveSession } from './given-session.ts';
import { giveAvatar, giveProduct } from './studio-cast.ts';
import type { TestService } from './test-service.ts';

/** An account that signed up, with something of every kind, and the canary in every text. */
export async function giveFullAccount(host: TestService, canary: string) {
  const { context } = host.service;
  const { clock, ids, table } = context;
  const email = `${canary}@example.com`;
  const user = host.service.identity?.users.fromProvider(canary, { email, name: canary });
  if (!user) throw new Error('the service has no identity provider');
  const { subject, username } = user;
  const identified = {
    issuer: 'https://id.example.com',
    subject,
    username,
    kind: 'social',
    provider: 'Google',
    name: canary,
    email,
    isEmailVerified: true,
    authenticatedAt: clock.now(),
    loginId: 'first',
    groups: [],
  } as const;
  await invite(context, email);
  const admitted = await accountOf(context, identified, { signUp: 'invitation', credits: 100 });
  if (!('accountId' in admitted)) throw new Error('the sign-up was rejected');
  const { accountId } = admitted;
  const issuing = { ...context, webhookSecrets: webhookSecretsOf(context) };
  const scopes = ['generate:audio', 'generate:image', 'read:tasks'] as const;
  const { token, tokenId } = await issueToken(issuing, { accountId, name: canary, scopes });
  await issueToken(issuing, { accountId, name: canary, mode: 'test', scopes });
  const session = await giveSession(context, accountId, { userAgent: canary, username: canary });
  await giveProduct(context, { accountId, title: canary, description: canary });
  const fileId = ids.next();
  const keptKey = `files/${fileId}-secret.png`;
  const file = {
    accountId,
    fileId,
    contentType: 'image/png',
    bytes: 1,
    secret: 'secret',
    createdAt: clock.now(),
  } as const;
  await table.transact([insertFile(file)]);
  await table.transact([keepFile(file, keptKey)]);
  const avatar = { accountId, name: canary, image: { key: keptKey }, sourceInfluencerId: canary };
  await giveAvatar(context, { ...avatar, avatarId: await context.avatars.reserve(accountId, canary, ids.next()) });
  await giveOrder(context, accountId);
  await giveInbox(host, accountId);
  return { accountId, fileId, identified, keptKey, session, token, tokenId };
}
