/** The port to whoever makes the media: what the service asks of an engine, and what an engine may answer. */

/** A file as it came from an engine. */
export interface EngineFile {
  readonly bytes: Uint8Array;
  readonly contentType: string;
}

/** What an engine is asked to make. `taskId` is also the idempotency key: one id never makes two jobs. */
export interface EngineJob {
  readonly taskId: string;
  /** The operation's path name, e.g. `voice`. */
  readonly taskType: string;
  /** The engine's own name of the model that makes it; an engine with one way of making such tasks has none. */
  readonly model?: string;
  /** What the model takes; files in it are addresses of the service's own storage that anybody can read for a while. */
  readonly input: Readonly<Record<string, unknown>>;
  /** Where the engine reports progress and the end; secret to this task. */
  readonly callbackUrl: string;
  /** Keeps a file that came with an engine's answer, in the service's own storage for a day; gives its address. */
  readonly keep: (file: EngineFile) => Promise<string>;
}

/** One file that an engine made; `url` is readable only through {@link Engine.download}. */
export interface EngineOutput {
  readonly url: string;
  readonly contentType: string;
  readonly width?: number;
  readonly height?: number;
  readonly durationSec?: number;
}

/** Why an engine did not deliver. The engine's own words never travel further than the log. */
export type EngineFailure =
  | 'PROVIDER_ERROR'
  | 'PROVIDER_TIMEOUT'
  | 'CONTENT_REJECTED'
  | 'DOWNLOAD_FAILED'
  | 'INPUT_INVALID';

export type EngineOutcome =
  | { readonly status: 'done'; readonly outputs: readonly EngineOutput[] }
  | { readonly status: 'failed'; readonly code: EngineFailure };

/** An accepted job that is under way; `progress` is an integer from 0 to 99. */
export interface EngineProgress {
  readonly status: 'queued' | 'running';
  readonly progress: number;
}

/** `completion` says whether the engine will call back or must be polled. */
export interface EngineAcceptance {
  readonly status: 'accepted';
  readonly reference: string;
  readonly completion: 'callback' | 'polling';
}

/** The engine no longer knows the reference: the job must be submitted again. */
export interface EngineLoss {
  readonly status: 'lost';
}

/** A provider's callback as it came in; `body` is the exact text that was signed. */
export interface EngineCallback {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A file that an engine made, as a stream. What it is, its own bytes tell. */
export interface EngineDownload {
  /** Must be read or left: it may hold a connection. */
  readonly body: AsyncIterable<Uint8Array>;
  /** The announced length, if there is one. */
  readonly bytes?: number;
}

/** Given which references a report is about: whether it counts, and the reference of the accepted job, if there is one. */
export type FindCurrentJob = (
  isReportOn: (reference: string) => boolean,
) => Promise<{ readonly isCurrent: boolean; readonly reference?: string | undefined }>;

/**
 * An engine answers quickly and reports later. A refusal is an outcome; whatever it throws is a fault that may pass: a
 * submission is tried again a few times, a question until the task's deadline.
 */
export interface Engine {
  submit(job: EngineJob): Promise<EngineAcceptance | EngineOutcome>;
  check(reference: string): Promise<EngineProgress | EngineOutcome | EngineLoss>;
  /** Best effort: an engine that cannot stop a job ignores it. */
  cancel(reference: string): Promise<void>;
  /**
   * What a callback says, or undefined when its signature does not hold. Only a signed callback is looked up: `current`
   * tells whether it is about the job as it was last accepted, and the reference of that. A signed report on another
   * job is no progress.
   */
  readCallback(callback: EngineCallback, current: FindCurrentJob): Promise<EngineProgress | EngineOutcome | undefined>;
  download(output: EngineOutput): Promise<EngineDownload>;
}
