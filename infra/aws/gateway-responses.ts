/** Responses that API Gateway sends itself, in the service's envelope and with the headers of every response. */
import { type GatewayResponseOptions, ResponseType } from 'aws-cdk-lib/aws-apigateway';
import { errorBody } from '../../shared/contracts/envelope.ts';
import { errors } from '../../shared/contracts/errors.ts';
import { envelopeHeaders, type GatewayErrorName, gatewayErrors } from '../../shared/contracts/gateway.ts';

/**
 * The types of responses. No route has an authorizer, a validator or a usage plan, so the gateway's other 4xx
 * responses, including those for bearer tokens that it mistakes for AWS signatures, concern requests without a route.
 */
const types: Readonly<Record<string, { readonly type: ResponseType; readonly error: GatewayErrorName }>> = {
  Default4xx: { type: ResponseType.DEFAULT_4XX, error: 'missingRoute' },
  Default5xx: { type: ResponseType.DEFAULT_5XX, error: 'failed' },
  MissingRoute: { type: ResponseType.MISSING_AUTHENTICATION_TOKEN, error: 'missingRoute' },
  BadBody: { type: ResponseType.BAD_REQUEST_BODY, error: 'malformed' },
  BadParameters: { type: ResponseType.BAD_REQUEST_PARAMETERS, error: 'malformed' },
  TooLarge: { type: ResponseType.REQUEST_TOO_LARGE, error: 'tooLarge' },
  UnsupportedType: { type: ResponseType.UNSUPPORTED_MEDIA_TYPE, error: 'unsupportedType' },
  Overloaded: { type: ResponseType.INTEGRATION_FAILURE, error: 'overloaded' },
  Throttled: { type: ResponseType.THROTTLED, error: 'throttled' },
  Blocked: { type: ResponseType.WAF_FILTERED, error: 'blocked' },
};

/** Quotes static values, as API Gateway requires. */
const fixed = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, `'${value}'`]));

function response(name: GatewayErrorName): Omit<GatewayResponseOptions, 'type'> {
  const error = gatewayErrors[name];
  const retryAfter = 'retryAfterSeconds' in error ? { 'Retry-After': String(error.retryAfterSeconds) } : {};
  return {
    statusCode: String(errors[error.code].status),
    responseHeaders: { ...fixed({ ...envelopeHeaders, ...retryAfter }), 'X-Request-Id': 'context.requestId' },
    templates: { 'application/json': errorBody(error.code, error.message) },
  };
}

export const gatewayResponses: Readonly<Record<string, GatewayResponseOptions>> = Object.fromEntries(
  Object.entries(types).map(([id, { type, error }]) => [id, { type, ...response(error) }]),
);
