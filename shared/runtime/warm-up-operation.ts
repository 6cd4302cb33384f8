/** Warms up an operation's function by handling the example request of its contract in a context without a network. */
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context as LambdaContext } from 'aws-lambda';
import type { OperationContract } from '../contracts/operation.ts';
import type { Scope } from '../contracts/scopes.ts';
import { emptyLog, rateLimitAt } from '../domain/rate-limit.ts';
import { tokens } from '../domain/store-ports.ts';
import { InvalidRow } from '../domain/stored-row.ts';
import type { TokenAdmissions } from '../domain/tokens/admit-token.ts';
import { tokenSecretBytes, tokenText } from '../domain/tokens/token.ts';
import type { Context } from './context.ts';
import type { HttpHandler } from './http-lambda.ts';

function exampleEvent({ example: { params = {}, body }, idempotent }: OperationContract): APIGatewayProxyEvent {
  const event = {
    pathParameters: { ...params },
    multiValueQueryStringParameters: {},
    multiValueHeaders: {
      authorization: [`Bearer ${tokenText('00'.repeat(tokenSecretBytes))}`],
      'content-type': ['application/json'],
      ...(idempotent && { 'idempotency-key': ['example'] }),
    },
    body: body ? JSON.stringify(body) : null,
    isBase64Encoded: false,
    requestContext: { requestId: 'warm-up' },
  };
  return event as unknown as APIGatewayProxyEvent;
}

/** Runs the code that reads a token, ignores that the warm-up's table returns an invalid row, and admits the caller. */
async function admit(admissions: TokenAdmissions, scopes: readonly Scope[], digest: string, now: number) {
  await admissions.admit(digest, now).catch((error: unknown) => {
    if (!(error instanceof InvalidRow)) throw error;
  });
  const token = { tokenId: 'warm-up', accountId: 'warm-up', name: 'warm-up', scopes };
  return { status: 'admitted', token, rateLimit: rateLimitAt(emptyLog(), now) } as const;
}

/** Token admissions that accept every caller, for a warm-up. */
export const warmUpTokens =
  (scopes: readonly Scope[]) =>
  (context: Context): TokenAdmissions => {
    const admissions = tokens(context);
    return { ...admissions, admit: (digest: string, now: number) => admit(admissions, scopes, digest, now) };
  };

/** Handles the example request and discards the response. */
export const warmUpOperation = (contract: OperationContract, handler: HttpHandler): Promise<APIGatewayProxyResult> =>
  handler(exampleEvent(contract), {} as LambdaContext);
