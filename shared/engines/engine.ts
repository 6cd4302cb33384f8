/** The port to the engines that generate media: what the service requests, and what an engine may return. */

/** A file received from an engine. */
export interface EngineFile {
  readonly bytes: Uint8Array;
  readonly contentType: string;
}

/** A job for an engine. `taskId` is also the idempotency key: one id never creates two jobs. */
export interface EngineJob {
  readonly taskId: string;
  /** The operation's path name, e.g. `voice`. */
  readonly taskType: string;
  /** The engine's own name of the model; absent if the engine has only one way of doing such tasks. */
  readonly model?: string;
  /** The model's input; its files are temporary public URLs of the service's own storage. */
  readonly input: Readonly<Record<string, unknown>>;
  /** The URL to which the engine reports progress and the end; a secret of this task. */
  readonly callbackUrl: string;
  /** Stores a file from an engine's response in the service's own storage for a day, and returns its URL. */
  readonly keep: (file: EngineFile) => Promise<string>;
}

/** What an engine says of a clip that it cut; what it does not know is absent. */
export interface EngineClip {
  readonly title?: string;
  readonly hook?: string;
  /** The relevance, from 0 to 1. */
  readonly score?: number;
  /** Seconds in the original video. */
  readonly startTime?: number;
  readonly endTime?: number;
}

/** A generated file; `url` is readable only through {@link Engine.download}. */
export interface EngineOutput {
  readonly url: string;
  readonly contentType: string;
  readonly width?: number;
  readonly height?: number;
  readonly durationSec?: number;
  /** An image (JPEG) of a video, readable like the file. */
  readonly posterUrl?: string;
  readonly clip?: EngineClip;
}

/** Why an engine failed. The engine's own text goes no further than the log. */
export type EngineFailure =
  | 'PROVIDER_ERROR'
  | 'PROVIDER_TIMEOUT'
  | 'CONTENT_REJECTED'
  | 'DOWNLOAD_FAILED'
  | 'INPUT_INVALID';

export type EngineOutcome =
  | { readonly status: 'done'; readonly outputs: readonly EngineOutput[] }
  | {
      readonly status: 'failed';
      readonly code: EngineFailure;
      /** Which field is wrong and why, in the adapter's own words: never the engine's text. */
      readonly detail?: string;
    };

/** An accepted job in progress; `progress` is an integer from 0 to 99. */
export interface EngineProgress {
  readonly status: 'queued' | 'running';
  readonly progress: number;
  /** Replaces the job's reference: what the engine has begun since must not begin again. */
  readonly reference?: string;
}

/** `completion` says whether the engine will call back or must be polled. */
export interface EngineAcceptance {
  readonly status: 'accepted';
  readonly reference: string;
  readonly completion: 'callback' | 'polling';
}

/** The engine has no capacity now and has begun nothing: the job is submitted again until the task's deadline. */
export interface EngineBusy {
  readonly status: 'busy';
}

/** The engine no longer knows the reference: the job must be submitted again. */
export interface EngineLoss {
  readonly status: 'lost';
}

/** A provider's callback as received; `body` is the exact text that was signed. */
export interface EngineCallback {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A generated file as a stream. Its type is detected from its content. */
export interface EngineDownload {
  /** Must be read or closed, because it may hold a connection. */
  readonly body: AsyncIterable<Uint8Array>;
  /** The declared length, if any. */
  readonly bytes?: number;
}

/** Whether a report about this reference counts, and the reference of the accepted job, if any. */
export type FindCurrentJob = (
  isReportOn: (reference: string) => boolean,
) => Promise<{ readonly isCurrent: boolean; readonly reference?: string | undefined }>;

/**
 * An engine responds quickly and reports later. A rejection is an outcome; anything thrown is treated as temporary: a
 * submission is retried a few times, a status request until the task's deadline.
 */
export interface Engine {
  submit(job: EngineJob): Promise<EngineAcceptance | EngineOutcome | EngineBusy>;
  check(reference: string): Promise<EngineProgress | EngineOutcome | EngineLoss>;
  /** Best effort: an engine that cannot stop a job ignores it. */
  cancel(reference: string): Promise<void>;
  /**
   * Parses a callback; undefined if its signature is invalid. Only a signed callback is looked up: `current` returns
   * whether it is about the job as it was last accepted, and that job's reference. A signed report about another job
   * changes nothing.
   */
  readCallback(callback: EngineCallback, current: FindCurrentJob): Promise<EngineProgress | EngineOutcome | undefined>;
  download(output: EngineOutput): Promise<EngineDownload>;
}
