/** The one line that each HTTP request leaves in the log, whoever sent it and whatever came of it. */
import type { APIGatewayProxyResult } from 'aws-lambda';
import type { Context } from './context.ts';

export interface RequestLine {
  readonly requestId: string;
  /** The operation's name, or the function's where there is none in the contract. */
  readonly operation: string;
  /** Whose request it is, as far as that is known. */
  readonly accountId?: string | undefined;
  readonly tokenId?: string | undefined;
  /** The task that the request made or was about. */
  readonly taskId?: string | undefined;
  /** The code of a refusal. */
  readonly code?: string | undefined;
  /** When the request came, in milliseconds. */
  readonly startedAt: number;
}

/** Never a token, a body, a prompt, a path or a query string. */
export function tellRequest(
  { clock, logger }: Pick<Context, 'clock' | 'logger'>,
  { requestId, operation, accountId, tokenId, taskId, code, startedAt }: RequestLine,
  { statusCode: status }: Pick<APIGatewayProxyResult, 'statusCode'>,
): void {
  logger.info('request', {
    requestId,
    operation,
    accountId,
    tokenId,
    taskId,
    status,
    code,
    ms: clock.now() - startedAt,
  });
}
