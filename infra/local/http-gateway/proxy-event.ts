/** Converts an HTTP request to the event of a REST API's Lambda proxy integration (payload version 1.0). */
import type { IncomingMessage } from 'node:http';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { systemClock } from '../../../shared/platform/clock.ts';
import { localAccountId } from '../local-arn.ts';
import type { RouteMatch } from './gateway-routes.ts';

export interface ProxyRequest {
  readonly request: IncomingMessage;
  /** The path as sent: still encoded, without the query. */
  readonly path: string;
  /** The query without the question mark. */
  readonly query: string;
  readonly body: Buffer;
  readonly match: RouteMatch;
  readonly stage: string;
  readonly requestId: string;
}

export function proxyEvent(from: ProxyRequest): APIGatewayProxyEvent {
  const headers = multiValueHeaders(from.request.rawHeaders);
  const query = multiValues(new URLSearchParams(from.query));
  return {
    resource: from.match.route.path,
    path: from.path,
    httpMethod: from.match.route.method,
    headers: lastValues(headers),
    multiValueHeaders: headers,
    queryStringParameters: from.query ? lastValues(query) : null,
    multiValueQueryStringParameters: from.query ? query : null,
    pathParameters: from.match.pathParameters ?? null,
    stageVariables: null,
    ...encoded(from.body),
    requestContext: requestContext(from),
  };
}

type MultiValues = Record<string, string[]>;

/** Groups values by case-insensitive name, under the first spelling. */
function multiValueHeaders(rawHeaders: readonly string[]): MultiValues {
  const spellings = new Map<string, string>();
  const pairs: [string, string][] = [];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    const spelling = spellings.get(name.toLowerCase()) ?? name;
    spellings.set(name.toLowerCase(), spelling);
    pairs.push([spelling, rawHeaders[index + 1] ?? '']);
  }
  return multiValues(pairs);
}

/** A Map, because a name may be `__proto__`. */
function multiValues(pairs: Iterable<[string, string]>): MultiValues {
  const lists = new Map<string, string[]>();
  for (const [name, value] of pairs) {
    const values = lists.get(name);
    if (values) values.push(value);
    else lists.set(name, [value]);
  }
  return Object.fromEntries(lists);
}

const lastValues = (lists: MultiValues): Record<string, string> =>
  Object.fromEntries(Object.entries(lists).map(([name, values]) => [name, values.at(-1) ?? '']));

/** Bodies of all types are binary for the API, as on AWS. */
const encoded = (body: Buffer): Pick<APIGatewayProxyEvent, 'body' | 'isBase64Encoded'> =>
  body.length === 0 ? { body: null, isBase64Encoded: false } : { body: body.toString('base64'), isBase64Encoded: true };

function requestContext({
  request,
  path,
  match,
  stage,
  requestId,
}: ProxyRequest): APIGatewayProxyEvent['requestContext'] {
  return {
    accountId: localAccountId,
    apiId: 'local',
    authorizer: null,
    domainName: request.headers.host,
    extendedRequestId: requestId,
    httpMethod: match.route.method,
    identity: callerIdentity(request),
    path: `/${stage}${path}`,
    protocol: `HTTP/${request.httpVersion}`,
    requestId,
    requestTimeEpoch: systemClock.now(),
    resourceId: match.route.functionName,
    resourcePath: match.route.path,
    stage,
  };
}

const callerIdentity = (request: IncomingMessage): APIGatewayProxyEvent['requestContext']['identity'] => ({
  accessKey: null,
  accountId: null,
  apiKey: null,
  apiKeyId: null,
  caller: null,
  clientCert: null,
  cognitoAuthenticationProvider: null,
  cognitoAuthenticationType: null,
  cognitoIdentityId: null,
  cognitoIdentityPoolId: null,
  principalOrgId: null,
  sourceIp: request.socket.remoteAddress ?? '',
  user: null,
  userAgent: request.headers['user-agent'] ?? null,
  userArn: null,
});
