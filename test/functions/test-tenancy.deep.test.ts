/** To live tokens, the resources of test tokens of their account do not exist, and the reverse. */
import { describeTenancy } from './describe-tenancy.ts';

await describeTenancy(['a live resource, for a test token', 'a test resource, for a live token']);
