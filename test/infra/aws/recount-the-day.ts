/** Lets the audit recount the figures of the current day. */
import { midnightBefore } from '../../../shared/platform/clock.ts';
import type { TestService } from '../../support/test-service.ts';

const hourMs = 3_600_000;

/**
 * The audit recounts the figures of a day once, from 02:00 of the next day, and of no day before the last that was
 * recounted. So the stored day is set back, and the clock forward.
 */
export async function recountTheDay(host: TestService): Promise<void> {
  const now = host.clock.now();
  const { accounts, audits } = host.service.context;
  await host.service.invoke('auditLedger', {});
  for await (const accountId of accounts.ids()) {
    const checkpoint = await audits.checkpoint(accountId);
    if (checkpoint) await audits.saveCheckpoint(accountId, { ...checkpoint, figuresDay: '2000-01-01' });
  }
  host.clock.advance(midnightBefore(now) + 26 * hourMs - now);
  await host.service.invoke('auditLedger', {});
}
