/** To callers in live mode, the resources of test mode of their account do not exist, and the reverse. */
import { describeTenancy } from './describe-tenancy.ts';

await describeTenancy([
  'a live resource, for a test token',
  'a test resource, for a live token',
  'a live resource, for a session in test mode',
  'a test resource, for a session in live mode',
]);
