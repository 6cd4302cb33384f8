/** The partitions that permissions are limited to. */
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Entity } from '../../../infra/aws/table-grants.ts';
import { partitions } from '../../../infra/aws/table-partitions.ts';
import { figuresKey } from '../../../shared/domain/figures-keys.ts';
import { tokenHandleKey } from '../../../shared/domain/handle-keys.ts';
import * as inbox from '../../../shared/domain/inbox-keys.ts';
import * as keys from '../../../shared/domain/keys.ts';
import { actEndKey, actKey, actKeyKey, grantedKey, grantRequestKey } from '../../../shared/domain/operator-keys.ts';
import { testAccountOf } from '../../../shared/domain/test-account.ts';
import { systemClock } from '../../../shared/platform/clock.ts';
import type { Key } from '../../../shared/platform/dynamo-table.ts';
import { randomIds } from '../../../shared/platform/ids.ts';
import { matchesPattern } from './matches-pattern.ts';

const ids = randomIds(systemClock);
const [accountId, id, otherId] = [ids.next(), ids.next(), ids.next()];
const digest = createHash('sha256').update(id).digest('base64url');
const networkId = '17841400008460056';
const inboxId = inbox.inboxIdOf({ channel: 'instagram', pageId: networkId }, id);
const day = '2026-11-21';

/** Every key of each kind of item. */
const samples: Readonly<Record<Entity, readonly Key[]>> = {
  account: [keys.accountKey(accountId)],
  act: [actKey(id), actKey(id, `account/${accountId}`), actEndKey(id, 'catalog/prices')],
  actKey: [actKeyKey(otherId, id)],
  activeTokens: [keys.activeTokensKey(accountId)],
  audit: [
    keys.auditKey(accountId),
    keys.auditCursorKey,
    keys.driftKey(id),
    keys.reportedDriftsKey,
    keys.unusedCreditsKey(id),
  ],
  avatar: [keys.avatarKey(accountId, id)],
  avatarOrigin: [keys.originKey(accountId, digest)],
  case: [keys.caseKey(id)],
  catalog: [keys.catalogKey('plans')],
  circuit: [keys.circuitKey('klap/clips')],
  connection: [inbox.connectionKey(accountId, 'instagram')],
  consent: [inbox.consentKey(digest, 'instagram')],
  coupon: [keys.couponKey('NATAL'), keys.redemptionKey('NATAL', accountId)],
  dayCounts: [keys.dayCountsKey(accountId, day)],
  erasure: [inbox.erasureKey(id)],
  export: [keys.exportKey(id)],
  figures: [figuresKey(accountId, day)],
  file: [keys.fileKey(accountId, id)],
  granted: [grantedKey(accountId, otherId, day)],
  grantRequest: [grantRequestKey(id)],
  guesses: [keys.guessesKey(accountId)],
  idempotency: [keys.idempotencyKey(accountId, 'generateVoice', digest)],
  identity: [keys.identityKey(digest)],
  inbox: [
    inbox.conversationKey(accountId, inboxId),
    inbox.messageKey(accountId, inboxId, inboxId),
    inbox.postKey(accountId, inboxId),
    inbox.commentKey(accountId, inboxId, inboxId),
    inbox.placeKey(accountId, inboxId, 0, inboxId),
  ],
  influencer: [keys.influencerKey(accountId, id)],
  invitation: [keys.invitationKey(digest)],
  invoice: [keys.invoiceKey(id, otherId)],
  ledger: [keys.ledgerKey(accountId, id)],
  linkedVideo: [keys.linkedVideoKey('youtube', id)],
  listedProduct: [keys.listedProductKey(accountId, id)],
  login: [keys.loginKey(digest)],
  operatorSession: [keys.operatorSessionKey(digest)],
  order: [keys.orderKey(id)],
  page: [inbox.pageKey('instagram', networkId), inbox.pageUserKey('instagram', networkId, accountId)],
  paymentEvent: [keys.eventKey('mercado-pago', id, otherId)],
  product: [keys.productKey(accountId, id)],
  publishedFile: [keys.publishedFileKey(digest)],
  reconciliation: [keys.reconciliationKey('mercado-pago'), keys.reconciliationKey('mercado-pago#search')],
  session: [keys.sessionKey(digest)],
  signUp: [keys.signUpKey(digest)],
  slots: [keys.slotsKey(`account:${accountId}`), keys.slotsKey('host:example.com')],
  spending: [keys.spendingKey(id, '2026-11')],
  subscription: [keys.subscriptionKey(accountId, id)],
  task: [keys.taskKey(id), keys.jobKey(id, 'clip'), keys.deliveryKey(id, 1)],
  testAccount: [keys.accountKey(testAccountOf(accountId))],
  testLedger: [keys.ledgerKey(testAccountOf(accountId), id)],
  token: [keys.tokenKey(digest)],
  tokenHandle: [tokenHandleKey(id)],
  uploads: [keys.uploadsKey(accountId, day)],
  usage: [keys.usageKey(accountId, day)],
};

/** Kinds of items that permissions for another kind also cover. */
const within: Readonly<Record<string, readonly string[]>> = { testAccount: ['account'], testLedger: ['ledger'] };

test.for(Object.entries(samples))(
  'table items of the kind %s are covered only by the permissions for that kind and for kinds that contain it',
  ([entity, own]) => {
    for (const { pk } of own) {
      const covering = Object.entries(partitions).filter(([, pattern]) => matchesPattern(pattern, pk));
      expect(covering.map(([name]) => name)).toEqual([...(within[entity] ?? []), entity]);
    }
  },
);
