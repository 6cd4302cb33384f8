/** What was seen of one task while it ran: the raw counts, before anything is made of them. */
import type { Trip } from '../trip.ts';

/** One call of a function. */
export interface Call {
  readonly functionName: string;
  readonly ms: number;
  readonly logLines: number;
  readonly logBytes: number;
  /** Of an HTTP answer, head and body; 0 for a function that gives none. */
  readonly answerBytes: number;
  /** Whether the API gateway called it. */
  readonly isHttp: boolean;
}

export interface TaskRecord {
  readonly calls: readonly Call[];
  /** Requests to DynamoDB and Step Functions. */
  readonly trips: readonly Trip[];
  /** Requests to SQS, S3 and KMS: `SQS SendMessage`, `S3 PUT`, `KMS Sign`, … */
  readonly requests: readonly string[];
  readonly statesEntered: readonly string[];
  /** Webhooks that were sent, head and body. */
  readonly webhookBytes: number;
}

/** How an engine works that a run is made with. */
export interface Scenario {
  readonly reports: 'callback' | 'asking';
  readonly jobSeconds: number;
}

export interface Order {
  readonly scenario: Scenario;
  /** How often the client asks for each task. */
  readonly polls: number;
  readonly tasks: number;
}
