/** Requests for exports that cannot be stored. */
import { expect, test } from 'vitest';
import { requestExport } from '../../../shared/domain/exports/request-export.ts';
import { type Table, TransactionCanceled } from '../../../shared/platform/dynamo-table.ts';
import { randomIds } from '../../../shared/platform/ids.ts';
import { stillClock } from '../../support/stepped-clock.ts';

test('a request for an export fails if another request seems to be stored first at every attempt', async () => {
  let attempts = 0;
  const table = {
    get: async () => undefined,
    async transact() {
      attempts += 1;
      if (attempts < 100) throw new TransactionCanceled([undefined, { item: undefined }]);
    },
  } as unknown as Table;
  const clock = stillClock();
  await expect(requestExport({ clock, ids: randomIds(clock), table }, 'account')).rejects.toThrow(TransactionCanceled);
});
