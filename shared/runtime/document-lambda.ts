/** How a plain GET becomes a document that anybody may read and caches may keep: no token, no envelope, no CORS. */
import middy from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context as LambdaContext } from 'aws-lambda';
import { errorBody } from '../contracts/envelope.ts';
import { errors } from '../contracts/errors.ts';
import { contextWith, type PortFactories, type PortName, type With } from './context.ts';
import { tellRequest } from './request-line.ts';

export type DocumentHandler = (event: APIGatewayProxyEvent, context: LambdaContext) => Promise<APIGatewayProxyResult>;

/** What is served as JSON. */
export type Document<Names extends PortName> = (context: With<Names>) => Promise<object>;

const cacheSeconds = 300;

const answer = (requestId: string, statusCode: number, cacheControl: string, body: string): APIGatewayProxyResult => ({
  statusCode,
  headers: {
    'Content-Type': 'application/json; charset=utf-8',
    'Cache-Control': cacheControl,
    'X-Content-Type-Options': 'nosniff',
    'X-Request-Id': requestId,
  },
  body,
});

const served = (requestId: string, document: object): APIGatewayProxyResult =>
  answer(requestId, 200, `public, max-age=${cacheSeconds}`, JSON.stringify(document));

function failed(requestId: string): APIGatewayProxyResult {
  const { status, description } = errors.INTERNAL_ERROR;
  return answer(requestId, status, 'no-store', errorBody('INTERNAL_ERROR', description));
}

/** The Lambda handler of a document; a failure is the API's own 500, and kept by nobody. */
export function documentLambda<Names extends PortName = never>(
  name: string,
  read: Document<Names>,
  ports: PortFactories<Names> = {} as PortFactories<Names>,
): DocumentHandler {
  const contextOf = contextWith(ports);
  const documentOf = async (requestId: string): Promise<object | undefined> => {
    try {
      return await read(contextOf());
    } catch (error) {
      contextOf().logger.error('document failed', { document: name, requestId, error: error as Error });
      return undefined;
    }
  };

  const chain = middy().handler(async (given: unknown) => {
    const { requestId } = (given as APIGatewayProxyEvent).requestContext;
    const startedAt = contextOf().clock.now();
    const document = await documentOf(requestId);
    const result = document ? served(requestId, document) : failed(requestId);
    const code = document ? undefined : 'INTERNAL_ERROR';
    tellRequest(contextOf(), { requestId, operation: name, code, startedAt }, result);
    return result;
  });
  return chain as DocumentHandler;
}
