/** The port to the engines that generate media. */

/** A file received from an engine. */
export interface EngineFile {
  readonly bytes: Uint8Array;
  readonly contentType: string;
}

/** A job for an engine. `taskId` is also the idempotency key: one id never creates two jobs. */
export interface EngineJob {
  readonly taskId: string;
  /**
   * The account of the task, so that the offline engine can be fair to all; absent for the service's own jobs. Not for
   * engines of other companies.
   */
  readonly accountId?: string;
  /** The task type, such as `voice`. */
  readonly taskType: string;
  /** The engine's name for the model; absent if the engine has only one model for the task type. */
  readonly model?: string;
  /** The model's input; files in it are temporary public URLs of the service's own storage. */
  readonly input: Readonly<Record<string, unknown>>;
  /** The URL to which the engine reports progress and the outcome; secret and specific to this task. */
  readonly callbackUrl: string;
  /** Stores a file from an engine's response in the service's own storage for a day, and returns its URL. */
  readonly keep: (file: EngineFile) => Promise<string>;
}

/** What an engine says about a clip; unknown values are absent. */
export interface EngineClip {
  readonly title?: string;
  readonly hook?: string;
  /** The relevance, from 0 to 1. */
  readonly score?: number;
  /** The start and end of the clip, in seconds of the original video. */
  readonly startTime?: number;
  readonly endTime?: number;
}

/** A generated file; `url` can be read only through {@link Engine.download}. */
export interface EngineOutput {
  readonly url: string;
  readonly contentType: string;
  readonly width?: number;
  readonly height?: number;
  readonly durationSec?: number;
  /** The URL of a JPEG image of the video, readable like the file. */
  readonly posterUrl?: string;
  readonly clip?: EngineClip;
}

/** Why an engine failed. The engine's own text appears only in the log. */
export type EngineFailure =
  | 'PROVIDER_ERROR'
  | 'PROVIDER_TIMEOUT'
  | 'CONTENT_REJECTED'
  | 'DOWNLOAD_FAILED'
  | 'INPUT_INVALID';

/** How many units the provider says that it charges for a job, in the unit of its own price. */
export interface EngineCharge {
  readonly units: number;
}

export type EngineOutcome =
  | {
      readonly status: 'done';
      readonly outputs: readonly EngineOutput[];
      /** Absent if the provider does not say what it charges. */
      readonly charge?: EngineCharge | undefined;
    }
  | {
      readonly status: 'failed';
      readonly code: EngineFailure;
      /** Which field is invalid and why, in the adapter's own words, never the engine's text. */
      readonly detail?: string;
      /** `full` if the provider has done its work and charges as for a result; absent if it does not say what it charges. */
      readonly charge?: EngineCharge | 'full' | undefined;
    };

/** An accepted job in progress; `progress` is an integer from 0 to 99. */
export interface EngineProgress {
  readonly status: 'queued' | 'running';
  readonly progress: number;
  /** Replaces the job's reference, to record steps at the engine that must not be repeated. */
  readonly reference?: string;
  /** Asks to be polled again after two seconds, instead of less and less often. */
  readonly pollAgain?: 'soon';
}

/** An accepted job; `completion` says whether the engine calls back or must be polled. */
export interface EngineAcceptance {
  readonly status: 'accepted';
  readonly reference: string;
  readonly completion: 'callback' | 'polling';
}

/** The engine has no capacity and has not started: the job is resubmitted until the task's deadline. */
export interface EngineBusy {
  readonly status: 'busy';
}

/** The engine no longer knows the reference, so the job must be resubmitted. */
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
  /** The stream must be read to its end or closed, because it may hold a connection. */
  readonly body: AsyncIterable<Uint8Array>;
  /** The declared length, if any. */
  readonly bytes?: number;
}

/** Returns whether a report about this reference counts, and the reference of the accepted job, if any. */
export type FindCurrentJob = (
  isReportOn: (reference: string) => boolean,
) => Promise<{ readonly isCurrent: boolean; readonly reference?: string | undefined }>;

/**
 * An engine accepts jobs quickly and reports later. A rejection is an outcome. Errors are treated as temporary: a
 * submission is retried a few times, and a status request until the task's deadline.
 */
export interface Engine {
  submit(job: EngineJob): Promise<EngineAcceptance | EngineOutcome | EngineBusy>;
  check(reference: string): Promise<EngineProgress | EngineOutcome | EngineLoss>;
  /** Cancels a job. Best effort: an engine that cannot stop a job ignores the call. */
  cancel(reference: string): Promise<void>;
  /**
   * Parses a callback; undefined if its signature is invalid. `current` is called only for a signed callback, and
   * returns whether it concerns the job's current submission, and that job's reference. A signed report about another
   * job changes nothing.
   */
  readCallback(callback: EngineCallback, current: FindCurrentJob): Promise<EngineProgress | EngineOutcome | undefined>;
  download(output: EngineOutput): Promise<EngineDownload>;
  /**
   * Reads what the provider charges for an ended job, if its callbacks do not say so; undefined if that cannot be read
   * within two seconds.
   */
  readCharge?(reference: string): Promise<EngineCharge | undefined>;
}
