import { defaultPrices, type Prices } from '../../../shared/catalog/prices.ts';
import { generationOf } from '../../../shared/contracts/generate.ts';
import { requestGeneration } from '../../../shared/domain/generation/request-generation.ts';
import { Rejection } from '../../../shared/domain/rejection.ts';
import type { GenerationNeeds } from '../../support/generation-needs.ts';
import { testIds } from '../../support/test-table.ts';

type Request = Parameters<typeof requestGeneration>[0];

export const tokenId = testIds.next();

export const input: { text: string; voice: string; callbackUrl?: string } = { text: 'Uma frase.', voice: 'sarah' };

/** Makes a request that costs three credits at the default prices. */
export function requestVoice(
  accountId: string,
  given: Partial<Request>,
  needs: GenerationNeeds,
  inspect?: () => Promise<unknown>,
) {
  const request: Request = {
    body: input,
    headers: {},
    actor: { accountId, tokenId },
    idempotency: undefined,
    requestId: testIds.next(),
    retryAfter: () => undefined,
    ...given,
  };
  const cost = ({ prices: { voice } }: { prices: Prices }) =>
    3 * (voice.charactersPerCredit / defaultPrices.voice.charactersPerCredit);
  return requestGeneration(request, needs, generationOf('voice'), {
    cost,
    ...(inspect && { inspect }),
  });
}

/** The reason why a request was rejected. */
export async function rejectionOf(request: Promise<unknown>): Promise<unknown> {
  const error: unknown = await request.then(
    () => 'answered',
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof Rejection)) throw new Error('the request was not rejected', { cause: error });
  return { kind: error.kind, ...error.details };
}
