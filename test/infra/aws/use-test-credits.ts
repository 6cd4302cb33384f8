/**
 * Uses test tokens, whose daily credits are topped up when they are first shown on a day, and when they are first used.
 */
import { testAccountOf } from '../../../shared/domain/test-account.ts';
import type { TestAccount, TestService } from '../../support/test-service.ts';

const dayMs = 86_400_000;

export async function useTestCredits(host: TestService, account: TestAccount): Promise<void> {
  const { token } = await host.token(testAccountOf(account.accountId));
  const body = { text: 'Uma frase curta.', voice: 'sarah' };
  for (const operationId of ['listCreditHistory', 'generateVoice'] as const) {
    await host.speak(token);
    host.clock.advance(dayMs);
    await host.call(operationId, { token, ...(operationId === 'generateVoice' && { body }) });
  }
}
