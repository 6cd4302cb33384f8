/**
 * The schema of the single table: one pure function per kind of row. `index-keys.ts` has the keys in its indexes.
 *
 * | Entity       | pk                                   | sk             | index                                       | who reads it                       |
 * |--------------|--------------------------------------|----------------|---------------------------------------------|------------------------------------|
 * | Account      | ACCOUNT#accountId                    | ACCOUNT        | byOwner ACCOUNTS                            | every debit, profile, credits      |
 * | Token        | TOKEN#sha256(token), base64url       | TOKEN          | byOwner TOKENS#accountId                    | every authenticated request        |
 * | Session      | SESSION#sha256(cookie), base64url    | SESSION        | byOwner SESSIONS#accountId, SESSIONS#accountId#VIEWS | every request of the dashboard |
 * | Operator's session | OPERATOR-SESSION#sha256(cookie), base64url | SESSION | byOwner OPERATOR-SESSIONS#e-mail        | every request of the operators' pages |
 * | Log-in       | LOGIN#sha256(cookie), base64url      | LOGIN          |                                             | the callback that completes it     |
 * | Identity     | IDENTITY#sha256(issuer, subject)     | IDENTITY       |                                             | log-ins: whose account it is       |
 * | Invitation   | INVITATION#sha256(e-mail)            | INVITATION     |                                             | first log-ins                      |
 * | Sign-up      | SIGN-UP#sha256(e-mail)               | SIGN-UP        |                                             | first log-ins: one bonus per address |
 * | Active tokens | TOKENS#accountId                    | TOKENS         |                                             | creating, revoking, listing tokens |
 * | Password guesses | GUESSES#accountId                | GUESSES        |                                             | creating tokens                    |
 * | Task         | TASK#taskId                          | TASK           | byOwner TASKS#accountId, `taskList`s, byDelivery, byFailure, open | task operations, workflow, sweeper |
 * | Engine job   | TASK#taskId                          | JOB#name       |                                             | workflow steps, engine callbacks   |
 * | Delivery     | TASK#taskId                          | DELIVERY#nnn   | byFailure                                   | webhook worker, getTask, operators |
 * | Slots        | SLOTS#account:accountId, SLOTS#host:host | SLOTS      |                                         | webhook worker                     |
 * | Ledger row   | LEDGER#accountId                     | uuidv7         |                                             | credit history, audit              |
 * | Usage        | USAGE#accountId                      | 2026-11-21     |                                             | usage: what a day's tasks cost     |
 * | Figures      | FIGURES#2026-11-21#shard             | accountId      |                                             | operators, audit: what a day brought |
 * | Spending     | SPENDING#tokenId                     | 2026-11        |                                             | debits of a token with a monthly cap |
 * | Audit        | AUDIT#accountId                      | AUDIT          |                                             | audit: how far it has counted      |
 * | Audit cursor | AUDIT#                               | CURSOR         |                                             | audit: where a pass continues      |
 * | Unused credits | AUDIT#                              | UNUSED#2026-11-21 |                                         | operators, audit: credits sold and not yet used |
 * | Corrected drift | AUDIT#                               | DRIFT#uuidv7, REPORTED |                                     | audit: reports each once           |
 * | Idempotency  | IDEMPOTENCY#account#operation#sha256 | IDEMPOTENCY    |                                             | creating operations                |
 * | Published file | PUBLISHED#sha256(file), hex        | PUBLISHED      |                                             | findProvenance                     |
 * | Influencer   | INFLUENCERS#accountId                | influencerId   |                                             | written when its task is completed |
 * | File         | FILE#accountId#fileId                | FILE           |                                             | products, avatars                  |
 * | Uploads      | UPLOADS#accountId                    | 2026-11-21     |                                             | new files: bytes declared on a day |
 * | Day counts   | COUNTS#accountId                     | 2026-11-21     |                                             | Cortes, products: limits of a day |
 * | Linked video | VIDEO#platform#videoId               | VIDEO          |                                             | Cortes: what a video site said about a video |
 * | Product      | PRODUCT#accountId#productId          | PRODUCT        |                                             | Studio videos, list of products    |
 * | Product list | PRODUCTS#accountId                   | productId      |                                             | list of products                   |
 * | Avatar       | AVATAR#accountId#avatarId            | AVATAR         |                                             | Studio videos                      |
 * | Avatar origin | ORIGIN#accountId#sha256             | ORIGIN         |                                             | avatars with a source              |
 * | Export       | EXPORT#accountId                     | EXPORT         | open                                        | the account's owner, `makeExports` |
 * | Order        | ORDER#orderId                        | ORDER          | byOwner ORDERS#accountId, byState, open     | orders, payment events             |
 * | Case         | CASES                                | caseId         | open                                        | operators                          |
 * | Subscription | SUBSCRIPTIONS#accountId              | subscriptionId | open                                        | getSubscription, its reconciliation |
 * | Invoice      | SUBSCRIPTION#subscriptionId          | INVOICE#invoiceId |                                          | its reconciliation; credited once each |
 * | Coupon       | COUPON#CODE                          | COUPON         |                                             | new subscriptions: redemption count |
 * | Redemption   | COUPON#CODE                          | ACCOUNT#accountId |                                          | new subscriptions: redeeming order |
 * | Payment event | EVENT#gateway#eventId#paymentId     | EVENT          |                                             | payment events: applied once each  |
 * | Reconciliation | RECONCILIATION#gateway, RECONCILIATION#gateway#search | RECONCILIATION |                          | reconciliation: where searches continue |
 * | Catalog      | CATALOG                              | PLANS, PACKS, COUPONS, PRICES, SWITCHES, ROUTES |                | cached 30 s in each function       |
 * | Circuit      | CIRCUITS                             | engine/model   |                                             | generation, cached 5 s             |
 * | Token id     | TOKEN-ID#tokenId                     | TOKEN-ID       | byHandle, byAlias                           | operators' search                  |
 * | Inbox        | see `inbox-keys.ts`                  |                |                                             | piloto operations, social events   |
 *
 * `byHandle` and `byAlias` are for the operators' search and contain rows of many kinds, see `handle-keys.ts`.
 *
 * `figures-keys.ts` has the keys of figures.
 *
 * Invitations and sign-ups contain only the digest of an email address.
 *
 * Of a deleted task, what `remainsOf` names stays in its row until it expires.
 */
import type { Key } from '../platform/dynamo-table.ts';
import type { CatalogRowName } from './catalog/catalog-row.ts';

type RowKey<Pk extends string, Sk extends string> = Key & { readonly pk: Pk; readonly sk: Sk };

export const accountKey = (accountId: string) =>
  ({ pk: `ACCOUNT#${accountId}`, sk: 'ACCOUNT' }) as const satisfies RowKey<`ACCOUNT#${string}`, 'ACCOUNT'>;

export const tokenKey = (digest: string) =>
  ({ pk: `TOKEN#${digest}`, sk: 'TOKEN' }) as const satisfies RowKey<`TOKEN#${string}`, 'TOKEN'>;

export const sessionKey = (digest: string) =>
  ({ pk: `SESSION#${digest}`, sk: 'SESSION' }) as const satisfies RowKey<`SESSION#${string}`, 'SESSION'>;

export const operatorSessionKey = (digest: string) =>
  ({ pk: `OPERATOR-SESSION#${digest}`, sk: 'SESSION' }) as const satisfies RowKey<
    `OPERATOR-SESSION#${string}`,
    'SESSION'
  >;

export const loginKey = (digest: string) =>
  ({ pk: `LOGIN#${digest}`, sk: 'LOGIN' }) as const satisfies RowKey<`LOGIN#${string}`, 'LOGIN'>;

export const identityKey = (digest: string) =>
  ({ pk: `IDENTITY#${digest}`, sk: 'IDENTITY' }) as const satisfies RowKey<`IDENTITY#${string}`, 'IDENTITY'>;

export const invitationKey = (digest: string) =>
  ({ pk: `INVITATION#${digest}`, sk: 'INVITATION' }) as const satisfies RowKey<`INVITATION#${string}`, 'INVITATION'>;

export const signUpKey = (digest: string) =>
  ({ pk: `SIGN-UP#${digest}`, sk: 'SIGN-UP' }) as const satisfies RowKey<`SIGN-UP#${string}`, 'SIGN-UP'>;

export const activeTokensKey = (accountId: string) =>
  ({ pk: `TOKENS#${accountId}`, sk: 'TOKENS' }) as const satisfies RowKey<`TOKENS#${string}`, 'TOKENS'>;

export const guessesKey = (accountId: string) =>
  ({ pk: `GUESSES#${accountId}`, sk: 'GUESSES' }) as const satisfies RowKey<`GUESSES#${string}`, 'GUESSES'>;

export const taskKey = (taskId: string) =>
  ({ pk: `TASK#${taskId}`, sk: 'TASK' }) as const satisfies RowKey<`TASK#${string}`, 'TASK'>;

const jobPrefix = 'JOB#';

export const jobKey = (taskId: string, name: string) =>
  ({ pk: `TASK#${taskId}`, sk: `${jobPrefix}${name}` }) as const satisfies RowKey<`TASK#${string}`, `JOB#${string}`>;

export const jobNameOf = (key: { readonly sk?: unknown }): string => String(key.sk).slice(jobPrefix.length);

/** The condition of a query for all jobs of a task. */
export const jobsOf = (taskId: string) => ({
  KeyConditionExpression: 'pk = :pk AND begins_with(sk, :jobs)',
  ExpressionAttributeValues: { ':pk': `TASK#${taskId}`, ':jobs': jobPrefix },
});

const deliveryPrefix = 'DELIVERY#';

export const deliveryKey = (taskId: string, attempt: number) =>
  ({
    pk: `TASK#${taskId}`,
    sk: `${deliveryPrefix}${String(attempt).padStart(3, '0')}`,
  }) as const satisfies RowKey<`TASK#${string}`, `DELIVERY#${string}`>;

export const isDelivery = (key: { readonly sk?: unknown }): boolean => String(key.sk).startsWith(deliveryPrefix);

export const ledgerKey = (accountId: string, rowId: string) =>
  ({ pk: `LEDGER#${accountId}`, sk: rowId }) as const satisfies RowKey<`LEDGER#${string}`, string>;

export const usageKey = (accountId: string, day: string) =>
  ({ pk: `USAGE#${accountId}`, sk: day }) as const satisfies RowKey<`USAGE#${string}`, string>;

export const spendingKey = (tokenId: string, month: string) =>
  ({ pk: `SPENDING#${tokenId}`, sk: month }) as const satisfies RowKey<`SPENDING#${string}`, string>;

export const auditKey = (accountId: string) =>
  ({ pk: `AUDIT#${accountId}`, sk: 'AUDIT' }) as const satisfies RowKey<`AUDIT#${string}`, 'AUDIT'>;

export const auditCursorKey = { pk: 'AUDIT#', sk: 'CURSOR' } as const satisfies RowKey<'AUDIT#', 'CURSOR'>;

/** The row with the unused credits of all accounts at the end of a day. */
export const unusedCreditsKey = (day: string) =>
  ({ pk: auditCursorKey.pk, sk: `UNUSED#${day}` }) as const satisfies RowKey<'AUDIT#', `UNUSED#${string}`>;

const driftPrefix = 'DRIFT#';

/** The record of a corrected drift. */
export const driftKey = (driftId: string) =>
  ({ pk: auditCursorKey.pk, sk: `${driftPrefix}${driftId}` }) as const satisfies RowKey<'AUDIT#', `DRIFT#${string}`>;

export const driftIdIn = (key: { readonly sk?: unknown }): string => String(key.sk).slice(driftPrefix.length);

/** The list of the corrections that audits have already reported. */
export const reportedDriftsKey = { pk: auditCursorKey.pk, sk: 'REPORTED' } as const satisfies RowKey<
  'AUDIT#',
  'REPORTED'
>;

export const idempotencyKey = (accountId: string, operationId: string, digest: string) =>
  ({
    pk: `IDEMPOTENCY#${accountId}#${operationId}#${digest}`,
    sk: 'IDEMPOTENCY',
  }) as const satisfies RowKey<`IDEMPOTENCY#${string}#${string}#${string}`, 'IDEMPOTENCY'>;

export const catalogKey = (row: CatalogRowName) =>
  ({ pk: 'CATALOG', sk: row.toUpperCase() }) as const satisfies RowKey<'CATALOG', string>;

export const circuitsPartition = 'CIRCUITS' as const;

export const circuitKey = (name: string) =>
  ({ pk: circuitsPartition, sk: name }) as const satisfies RowKey<typeof circuitsPartition, string>;

/** The concurrent deliveries of an account (`account:…`) or to a host (`host:…`). */
export const slotsKey = (owner: string) =>
  ({ pk: `SLOTS#${owner}`, sk: 'SLOTS' }) as const satisfies RowKey<`SLOTS#${string}`, 'SLOTS'>;

export const influencerKey = (accountId: string, influencerId: string) =>
  ({ pk: `INFLUENCERS#${accountId}`, sk: influencerId }) as const satisfies RowKey<`INFLUENCERS#${string}`, string>;

export const publishedFileKey = (sha256: string) =>
  ({ pk: `PUBLISHED#${sha256}`, sk: 'PUBLISHED' }) as const satisfies RowKey<`PUBLISHED#${string}`, 'PUBLISHED'>;

export const fileKey = (accountId: string, fileId: string) =>
  ({ pk: `FILE#${accountId}#${fileId}`, sk: 'FILE' }) as const satisfies RowKey<`FILE#${string}#${string}`, 'FILE'>;

/** The row that counts the bytes that an account has declared as uploads on a day, such as `2026-11-21`. */
export const uploadsKey = (accountId: string, day: string) =>
  ({ pk: `UPLOADS#${accountId}`, sk: day }) as const satisfies RowKey<`UPLOADS#${string}`, string>;

/** The row that counts what an account does on a day, such as `2026-11-21`, as far as that is limited. */
export const dayCountsKey = (accountId: string, day: string) =>
  ({ pk: `COUNTS#${accountId}`, sk: day }) as const satisfies RowKey<`COUNTS#${string}`, string>;

/** What a video site said about a video. */
export const linkedVideoKey = (platform: string, videoId: string) =>
  ({ pk: `VIDEO#${platform}#${videoId}`, sk: 'VIDEO' }) as const satisfies RowKey<`VIDEO#${string}`, 'VIDEO'>;

export const productKey = (accountId: string, productId: string) =>
  ({ pk: `PRODUCT#${accountId}#${productId}`, sk: 'PRODUCT' }) as const satisfies RowKey<
    `PRODUCT#${string}#${string}`,
    'PRODUCT'
  >;

/** A row that has only a key, so that the list can be read to any depth without reading products. */
export const listedProductKey = (accountId: string, productId: string) =>
  ({ pk: `PRODUCTS#${accountId}`, sk: productId }) as const satisfies RowKey<`PRODUCTS#${string}`, string>;

export const avatarKey = (accountId: string, avatarId: string) =>
  ({ pk: `AVATAR#${accountId}#${avatarId}`, sk: 'AVATAR' }) as const satisfies RowKey<
    `AVATAR#${string}#${string}`,
    'AVATAR'
  >;

export const originKey = (accountId: string, digest: string) =>
  ({ pk: `ORIGIN#${accountId}#${digest}`, sk: 'ORIGIN' }) as const satisfies RowKey<
    `ORIGIN#${string}#${string}`,
    'ORIGIN'
  >;

export const exportKey = (accountId: string) =>
  ({ pk: `EXPORT#${accountId}`, sk: 'EXPORT' }) as const satisfies RowKey<`EXPORT#${string}`, 'EXPORT'>;

export const orderKey = (orderId: string) =>
  ({ pk: `ORDER#${orderId}`, sk: 'ORDER' }) as const satisfies RowKey<`ORDER#${string}`, 'ORDER'>;

/** A subscription, in the partition of its account, oldest first. */
export const subscriptionKey = (accountId: string, subscriptionId: string) =>
  ({ pk: `SUBSCRIPTIONS#${accountId}`, sk: subscriptionId }) as const satisfies RowKey<
    `SUBSCRIPTIONS#${string}`,
    string
  >;

/** Coupon codes are case-insensitive. */
const couponPartition = (code: string) => `COUPON#${code.toUpperCase()}` as const;

export const couponKey = (code: string) =>
  ({ pk: couponPartition(code), sk: 'COUPON' }) as const satisfies RowKey<`COUPON#${string}`, 'COUPON'>;

export const redemptionKey = (code: string, accountId: string) =>
  ({ pk: couponPartition(code), sk: `ACCOUNT#${accountId}` }) as const satisfies RowKey<
    `COUPON#${string}`,
    `ACCOUNT#${string}`
  >;

const invoicePrefix = 'INVOICE#';

export const invoiceKey = (subscriptionId: string, invoiceId: string) =>
  ({ pk: `SUBSCRIPTION#${subscriptionId}`, sk: `${invoicePrefix}${invoiceId}` }) as const satisfies RowKey<
    `SUBSCRIPTION#${string}`,
    `INVOICE#${string}`
  >;

export const casesPartition = 'CASES' as const;

export const caseKey = (caseId: string) =>
  ({ pk: casesPartition, sk: caseId }) as const satisfies RowKey<typeof casesPartition, string>;

export const eventKey = (gateway: string, eventId: string, paymentId: string) =>
  ({ pk: `EVENT#${gateway}#${eventId}#${paymentId}`, sk: 'EVENT' }) as const satisfies RowKey<
    `EVENT#${string}#${string}#${string}`,
    'EVENT'
  >;

export const reconciliationKey = (gateway: string) =>
  ({ pk: `RECONCILIATION#${gateway}`, sk: 'RECONCILIATION' }) as const satisfies RowKey<
    `RECONCILIATION#${string}`,
    'RECONCILIATION'
  >;

/** The attributes that form every item's primary key. */
export const primaryKey = { pk: 'pk', sk: 'sk' } as const;

/**
 * When DynamoDB may remove an item, in seconds since the epoch. It does so late, so readers compare the time
 * themselves.
 */
export const expiryAttribute = 'expiresAt';

/** Extracts a task's id from its key, for results of a keys-only index. */
export const taskIdOf = (key: { readonly pk?: unknown }): string => String(key.pk).slice('TASK#'.length);
export const orderIdOf = (key: { readonly pk?: unknown }): string => String(key.pk).slice('ORDER#'.length);
export const invoiceIdOf = (key: { readonly sk?: unknown }): string => String(key.sk).slice(invoicePrefix.length);
/** Extracts the account and the id of a subscription from its key. */
export const subscriptionOf = (key: { readonly pk?: unknown; readonly sk?: unknown }) => ({
  accountId: String(key.pk).slice('SUBSCRIPTIONS#'.length),
  subscriptionId: String(key.sk),
});
export const accountIdOf = (key: { readonly pk?: unknown }): string => String(key.pk).slice('ACCOUNT#'.length);
/** The last segment of a file's or product's key; it may itself contain any character. */
export const ownIdOf = (key: { readonly pk?: unknown }): string => String(key.pk).split('#').slice(2).join('#');
export const tokenDigestOf = (key: { readonly pk?: unknown }): string => String(key.pk).slice('TOKEN#'.length);
export const exportAccountOf = (key: { readonly pk?: unknown }): string => String(key.pk).slice('EXPORT#'.length);
/** The digest in the key of a session, of an account owner or an operator. */
export const sessionDigestOf = (key: { readonly pk?: unknown }): string => String(key.pk).split('#')[1] ?? '';
