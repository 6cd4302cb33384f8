/** The raw measurements of one task. */
import type { Trip } from '../trip.ts';

/** One function invocation. */
export interface Call {
  readonly functionName: string;
  readonly ms: number;
  readonly logLines: number;
  readonly logBytes: number;
  /** The size of an HTTP response's headers and body; 0 for functions without one. */
  readonly responseBytes: number;
  /** Whether the API gateway invoked it. */
  readonly isHttp: boolean;
}

export interface TaskRecord {
  readonly calls: readonly Call[];
  /** Requests to DynamoDB and Step Functions. */
  readonly trips: readonly Trip[];
  /** Requests to SQS, S3 and KMS: `SQS SendMessage`, `S3 PUT`, `KMS Sign`, … */
  readonly requests: readonly string[];
  readonly statesEntered: readonly string[];
  /** The size of the webhooks sent, headers and body. */
  readonly webhookBytes: number;
  readonly resultBytes: number;
  /** How many results have Content Credentials, each of which KMS would sign; locally a key in a file does. */
  readonly credentials: number;
  /** The size of the copies of the request's files, which the engine has downloaded. */
  readonly inputBytes: number;
}

export type VideoKind = 'creative' | 'ugc' | 'imitate' | 'studio';

/**
 * What the tasks of a run produce: speech by generateVoice, a recording by changeVoice, or videos by the operation of
 * that kind.
 */
export type Kind = 'speech' | 'voice-change' | VideoKind;

/** The tasks of a run, and the behavior of their engine. */
export interface Scenario {
  readonly kind: Kind;
  readonly completion: 'callback' | 'polling';
  readonly jobSeconds: number;
  /** Whether a webhook tells the client of the end; without one, it polls. */
  readonly hasWebhook: boolean;
}

export interface Order {
  readonly scenario: Scenario;
  /** How often the client polls a task on average. */
  readonly polls: number;
  readonly tasks: number;
}
