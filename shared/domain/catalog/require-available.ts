/** Checks whether an operation is available to an account: switched on, and included in its plan. */
import type { Feature } from '../../contracts/features.ts';
import type { Availability } from '../../contracts/operation.ts';
import { Rejection } from '../rejection.ts';
import type { Stores } from '../stores.ts';
import { liveAccountOf } from '../test-account.ts';
import { catalogStaleAfterMs } from './catalog-store.ts';
import { switchesRow } from './switches-row.ts';

/** When to retry an operation that is switched off: functions read the switches this often. */
const switchRetrySeconds = catalogStaleAfterMs / 1000;

/** Names of features for messages to customers, to whom the identifiers mean little. */
const featureTitles: Readonly<Record<Feature, string>> = {
  cortes: 'clips',
  studio: 'the Studio',
  piloto: 'the inbox',
};

/** The rejection for a plan that lacks the feature. */
export const missingFeature = (feature: Feature | undefined): Rejection =>
  new Rejection('forbidden', {
    message: `The account's plan does not include ${feature && featureTitles[feature]} (${feature}).`,
  });

/** Requires that an operation is available to an account. @throws {Rejection} switched-off, forbidden */
export async function requireAvailable(
  { accounts, catalog }: Pick<Stores, 'accounts' | 'catalog'>,
  { operationId, feature }: Pick<Availability, 'feature'> & { readonly operationId: string },
  accountId: string,
): Promise<void> {
  if ((await catalog.read(switchesRow)).has(operationId)) {
    const message = 'The operation is switched off.';
    throw new Rejection('switched-off', { message, retryAfterSeconds: switchRetrySeconds });
  }
  if (!feature) return;
  const account = await accounts.find(liveAccountOf(accountId));
  if (!account) throw new Error('token references a missing account');
  if (!account.features.includes(feature)) throw missingFeature(feature);
}
