/**
 * For each kind of row in the register of personal data: what an account's export contains of it, or why it contains
 * none. Of an exported kind, every personal field that is no secret is included. Other fields are named here, so that
 * engines' costs and the gateways' references, which are not the account's data, are left out.
 */
import { type RowKindName, rowKinds } from '../privacy/register.ts';

export type ExportRule =
  | {
      /** The name of the document in the archive, without its extension. */
      readonly document: string;
      /** The exported fields that are not personal, separated by spaces. */
      readonly also: string;
      /** What the document contains, if the register's description of the kind says more. */
      readonly what?: string;
    }
  | { readonly notExported: string };

const index = { notExported: 'it only finds other rows' } as const;
const sums = { notExported: 'it only sums up the ledger and the tasks, which are exported' } as const;
const passing = { notExported: 'it is gone within minutes or hours, and repeats what the owner entered' } as const;
const ofOperators = { notExported: 'it is about the work of operators' } as const;
const ofService = { notExported: 'it is about the service, and about no account' } as const;

export const exportRules = {
  account: { document: 'profile', also: 'balance features planId createdAt closing' },
  token: {
    document: 'tokens',
    also: 'scopes mode exp revokedAt cap',
    what: 'API tokens: names, scopes and times, without the tokens themselves',
  },
  session: {
    document: 'sessions',
    also: 'kind provider authenticatedAt createdAt endedAt exp',
    // Operators' views are listed apart from sessions.
    what: 'Session of the dashboard: the provider’s id of the user and the browser',
  },
  identity: {
    document: 'log-ins',
    also: 'createdAt',
    what: 'Log-ins that lead to the account: the name at the identity provider',
  },
  ledgerRow: { document: 'ledger', also: 'amount reason at taskType taskId orderId token' },
  order: {
    document: 'orders',
    also: 'type status cents credits gateway payableUntil createdAt paidAt canceledAt refundedAt packId packName planId planName billingCycle couponCode',
  },
  subscription: {
    document: 'subscriptions',
    also: 'status planId planName billingCycle creditsPerMonth features cents discountedCents gateway createdAt currentPeriodStart currentPeriodEnd canceledAt lapsedAt',
  },
  invoice: {
    document: 'invoices',
    also: 'cents periodStart periodEnd paidAt granted refundedCents refundedAt',
  },
  task: {
    document: 'tasks',
    also: 'taskType status cost createdAt startedAt endedAt errorCode webhookStatus tokenId influencerId',
  },
  influencer: { document: 'influencers', also: 'taskId createdAt' },
  file: { document: 'files', also: 'contentType bytes createdAt expiresAt' },
  product: { document: 'products', also: 'createdAt' },
  avatar: { document: 'avatars', also: 'type likenessConsent createdAt sourceInfluencerId' },
  connection: {
    document: 'pages',
    also: 'network state pageId connectedAt syncedAt',
    what: 'Connected pages of social networks',
  },
  conversation: { document: 'conversations', also: 'channel pageId unreadCount updatedAt' },
  message: { document: 'messages', also: 'createdAt direction status' },
  post: { document: 'posts', also: 'channel pageId commentCount lastCommentAt' },
  comment: { document: 'comments', also: 'createdAt' },
  tokenHandle: index,
  activeTokens: index,
  listedProduct: index,
  avatarOrigin: index,
  page: index,
  place: index,
  spending: sums,
  usage: sums,
  figures: sums,
  audit: sums,
  uploads: sums,
  dayCounts: { notExported: 'it only counts, for limits' },
  login: passing,
  consent: passing,
  guesses: passing,
  idempotency: passing,
  engineJob: { notExported: 'it repeats what is in tasks, for the engine' },
  delivery: { notExported: 'it has only times and results of attempts; the webhook’s address and state are in tasks' },
  slots: { notExported: 'it only counts what runs now' },
  invitation: { notExported: 'it has only a digest of the address, which is in the profile' },
  signUp: { notExported: 'it has only a digest of the address, which is in the profile' },
  export: { notExported: 'it is the request for the archive itself' },
  erasureRequest: { notExported: 'it is about a user of a social network, and about no account' },
  case: { notExported: 'it is about the work of operators on a payment, which is in orders or subscriptions' },
  coupon: { notExported: 'the coupon of an order is in orders' },
  paymentEvent: { notExported: 'it has only ids of gateways' },
  publishedFile: { notExported: 'it is a digest of a file, which is in the archive' },
  operatorSession: ofOperators,
  act: ofOperators,
  actOnSubject: ofOperators,
  actKey: ofOperators,
  grantedCredits: ofOperators,
  grantRequest: ofOperators,
  catalog: ofService,
  circuit: ofService,
  linkedVideo: ofService,
  reconciliation: ofService,
} as const satisfies Readonly<Record<RowKindName, ExportRule>>;

export type ExportedKind = {
  [Name in RowKindName]: (typeof exportRules)[Name] extends { readonly document: string } ? Name : never;
}[RowKindName];

export const exportedKinds = (Object.keys(exportRules) as RowKindName[]).filter(
  (name): name is ExportedKind => 'document' in exportRules[name],
);

/** A description of what a document contains. */
export function describedAs(kind: ExportedKind): string {
  const { what }: Extract<ExportRule, { readonly document: string }> = exportRules[kind];
  return what ?? rowKinds[kind].what;
}

const copies = 'it repeats what the table or the buckets have, which is exported';

/** The same for data outside the table, by where it is stored. */
export const placeRules: Readonly<Record<string, 'exported' | { readonly notExported: string }>> = {
  'bucket of results, `results/<task>-<secret>/`': 'exported',
  'bucket of results, `files/`': 'exported',
  'bucket of inputs, `uploads/<file>`': 'exported',
  'bucket of inputs, `inputs/<task>/`': {
    notExported: 'it has copies for a day of files that the account itself provided, and drafts of results',
  },
  'bucket of inputs, `exports/<account>/`': { notExported: 'it is the archive itself' },
  'bucket of inputs, `erased-accounts/`': { notExported: 'it is about erased accounts' },
  'queue of webhooks': { notExported: copies },
  'queue of the inbox': { notExported: copies },
  'queue of payment events': { notExported: copies },
  'execution histories of Step Functions': { notExported: copies },
  logs: { notExported: 'it has only ids' },
  'traces of AWS X-Ray': { notExported: copies },
  'backups of the table': { notExported: copies },
  'user pool (Cognito)': { notExported: 'the address and the name are in the profile; the password cannot be read' },
  engines: { notExported: 'ask the engine' },
  'payment gateways': { notExported: 'ask the gateway' },
  'social networks': { notExported: 'ask the network' },
};
