/** The error responses of Bedrock's runtime, as its API reference documents them. */

const statuses = {
  AccessDeniedException: 403,
  InternalServerException: 500,
  ModelErrorException: 424,
  ModelNotReadyException: 429,
  ModelTimeoutException: 408,
  ResourceNotFoundException: 404,
  ServiceQuotaExceededException: 400,
  ServiceUnavailableException: 503,
  ThrottlingException: 429,
  ValidationException: 400,
  // An error that all AWS services have.
  MissingAuthenticationTokenException: 403,
  UnknownOperationException: 404,
} as const;

export type BedrockFaultType = keyof typeof statuses;

export interface BedrockReply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly text: string;
}

export const faultReply = (type: BedrockFaultType, message = `The request failed with ${type}.`): BedrockReply => ({
  status: statuses[type],
  headers: { 'x-amzn-errortype': `${type}:http://internal.amazon.com/coral/com.amazon.bedrock/` },
  text: JSON.stringify({ message }),
});

/** Thrown for an invalid input; the message says what is wrong. */
export class InvalidInput extends Error {
  override readonly name = 'InvalidInput';
}
