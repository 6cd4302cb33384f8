/** Acts by which operators download everything about an account for its owner. */
import { timestamp } from '../../platform/clock.ts';
import type { StoredObjects } from '../../platform/stored-objects.ts';
import { onAccount } from '../act-forms/act-form.ts';
import { exportStore, presentExport } from '../exports/export-store.ts';
import { openExport, requestExport } from '../exports/request-export.ts';
import { Rejection } from '../rejection.ts';
import type { Stores } from '../stores.ts';
import { act } from './act.ts';
import { aboutAccount, findAccount } from './find-subject.ts';
import type { ActNeeds } from './perform-act.ts';

type Needs = ActNeeds & Pick<Stores, 'accounts'>;

const onExport = {
  role: 'admin',
  commits: 'at-once',
  isForCommandLine: true,
  input: onAccount,
  async find(needs: Needs, { account: accountId }: { readonly account: string }) {
    await findAccount(needs, accountId);
    const { state } = presentExport(await exportStore(needs.table).find(accountId), needs.clock.now());
    return { ...aboutAccount(accountId), before: { export: state }, state: {} };
  },
} as const;

export const exportAccount = act({
  ...onExport,
  name: 'exportAccount',
  summary: 'Make an archive of everything about an account.',
  after: () => ({ export: 'making' }),
  async perform(needs, { account: accountId }, { recording }) {
    const requested = await requestExport({ ...needs, table: recording() }, accountId);
    return { accountId, ...presentExport(requested, needs.clock.now()) };
  },
});

export const linkExport = act({
  ...onExport,
  name: 'linkExport',
  summary: 'Get a link to the archive of everything about an account.',
  isSecret: true,
  async perform(
    needs: Needs & { readonly storedObjects: Pick<StoredObjects, 'addressOf'> },
    { account: accountId },
    { recording },
  ) {
    try {
      const { url, expiresAt } = await openExport({ ...needs, table: recording() }, accountId);
      return { accountId, url, expiresAt: timestamp(expiresAt) };
    } catch (error) {
      if (!(error instanceof Rejection)) throw error;
      throw new Rejection('not-found', { message: `Account ${accountId} has no archive that can be downloaded.` });
    }
  },
});
