/** Dashboard operations by which owners decide how long new tasks keep their results and inputs. */
import * as z from 'zod';
import { integer } from './fields.ts';
import { resultsRetentionDays, retentionDaysLimit } from './limits.ts';
import { once } from './once.ts';
import type { DashboardContract } from './operation.ts';

const days = (description: string) => integer(1, retentionDaysLimit).nullable().describe(description);

const Retention = once(() =>
  z
    .strictObject({
      resultsDays: days(
        `How many days after its creation the results of a task are erased; null for as long as the service stores them, ${resultsRetentionDays} days by default.`,
      ),
      inputsDays: days(
        'How many days after its creation the texts and addresses of a task are erased, and uploaded files that no product or avatar uses if they would be kept for longer; null for as long as the task is there.',
      ),
    })
    .meta({ id: 'Retention' }),
);

const example = { resultsDays: 30, inputsDays: 7 } as const;

export const dashboardRetentionContracts = {
  getRetention: {
    operationId: 'getRetention',
    method: 'GET',
    path: '/account/api/retention',
    idempotent: false,
    summary: 'Get how long new tasks keep results and inputs',
    description: 'Both are null unless the owner or an operator has set them.',
    success: {
      status: 200,
      get data() {
        return Retention();
      },
    },
    errors: [],
    example: { data: example },
  },
  setRetention: {
    operationId: 'setRetention',
    method: 'POST',
    path: '/account/api/retention',
    idempotent: false,
    summary: 'Set how long new tasks keep results and inputs',
    description: `Applies to tasks that are created after the response, also those of test tokens. Each task keeps the periods with which it was created, and \`expiresAt\` of its results says until when they are stored. What is due is erased within minutes, of a task that is open or whose webhook is being sent once that has ended. Of inputs, the request, the label, the client reference, the callback URL, titles of clips and details of errors are erased: the webhook can then not be sent again. Type, status, credits, times, a declared \`likenessConsent\` and the ledger stay. A period longer than the service stores results keeps them for no longer.`,
    get body() {
      return Retention();
    },
    success: {
      status: 200,
      get data() {
        return Retention();
      },
    },
    errors: [],
    example: { body: example, data: example },
  },
} as const satisfies Record<string, DashboardContract>;
