/** The register of rows about what operators do. Acts contain ids of customers, never their texts or addresses. */
import { actKey, actKeyKey, grantedKey, grantRequestKey } from '../operator-keys.ts';
import { facts, links, type RowKind, secrets, wholePartition } from './data-kind.ts';

const ofOperators = {
  why: 'to show who changed what in an account, and why',
  ground: 'legitimate interest',
} as const;

const act = {
  ...ofOperators,
  kept: 'without limit',
  erasure: 'kept',
  fields: {
    ...links('of subject before after requestId operatorId operatorName'),
    ...facts('at act role reason state code isShortened'),
  },
} as const;

export const operatorRows = {
  act: { ...act, ...wholePartition(actKey('')), what: 'Act of an operator, in the list of all' },
  actOnSubject: {
    ...act,
    ...wholePartition(actKey('', 'account/')),
    what: 'Act of an operator on an account or a row of the catalog',
  },
  actKey: {
    ...ofOperators,
    ...wholePartition(actKeyKey('', '')),
    what: 'Key of an act that may be sent again',
    kept: '24 hours',
    erasure: 'none',
    fields: { ...links('actId'), ...secrets('fingerprint'), ...facts('expiresAt') },
  },
  grantedCredits: {
    ...ofOperators,
    ...wholePartition(grantedKey('', '', '')),
    what: 'Credits that an operator gave an account, or all of them, on a day',
    kept: '2 days',
    erasure: 'expires',
    fields: facts('granted expiresAt'),
  },
  grantRequest: {
    ...ofOperators,
    ...wholePartition(grantRequestKey('')),
    what: 'Grant of credits that a second operator decides',
    kept: 'without limit',
    erasure: 'kept',
    fields: {
      ...links('accountId requestedBy decidedBy'),
      ...facts('amount kind reason requestedAt validUntil state decidedAt'),
    },
  },
} as const satisfies Readonly<Record<string, RowKind>>;
