/** The periods after which an account has the results and inputs of new tasks erased, in the row of the account. */
import type { Action } from '../../platform/dynamo-table.ts';
import { isSameRetention, type Retention } from '../retention.ts';
import { isOpen } from './closed-account.ts';
import { type Clauses, updateAccount } from './update-account.ts';

/** The condition that the periods of an account are these. */
export const whileRetained = (retention: Retention | undefined): Required<Pick<Clauses, 'when' | 'values'>> =>
  retention
    ? { when: ['retention = :retention'], values: { ':retention': retention } }
    : { when: ['attribute_not_exists(retention)'], values: {} };

/** The write that changes the periods of an open account. */
export const setRetention = (accountId: string, retention: Retention): Action =>
  updateAccount(accountId, [
    isSameRetention(retention)
      ? { remove: ['retention'], when: [isOpen] }
      : { set: ['retention = :retention'], when: [isOpen], values: { ':retention': retention } },
  ]);
