/** To each account, the resources of other accounts do not exist: operations that read. */
import { describeTenancy } from './describe-tenancy.ts';

await describeTenancy(['another account’s resource'], ['GET']);
