/** To each account, the resources of other accounts do not exist: operations that read. */
import { afterAll } from 'vitest';
import { describeTenancy, host } from './describe-tenancy.ts';

afterAll(() => host.close());

describeTenancy(['another account’s resource'], ['GET']);
