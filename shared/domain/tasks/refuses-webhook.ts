/** Whether the test case of a task of a test token refuses its webhook, to which then nothing is sent. */
import { acceptedTestCase } from '../../contracts/test-cases.ts';
import { isTestAccount } from '../test-account.ts';
import type { Task } from './task.ts';

export const refusesWebhook = ({ accountId, input, clientReference }: Task): boolean =>
  isTestAccount(accountId) && acceptedTestCase({ body: input, clientReference })?.name === 'webhook_refused';
