/** To live tokens, the resources of test tokens of their account do not exist, and the reverse. */
import { afterAll } from 'vitest';
import { describeTenancy, host } from './describe-tenancy.ts';

afterAll(() => host.close());

describeTenancy(['a live resource, for a test token', 'a test resource, for a live token']);
