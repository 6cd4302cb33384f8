/** The messages between a test and the service process that it starts. */

/** The environment variable with the JSON of {@link Start}. */
export const startVariable = 'SERVICE_PROCESS_START';

type Environment = Readonly<Record<string, string>>;

export interface Start {
  readonly dataDir: string;
  /** Multiplies the state machines' waits. */
  readonly pace: number;
  /** Whether failures of engines cannot be recorded. */
  readonly hasBrokenCircuits?: true;
  readonly recordsMessages?: boolean;
}

export interface Ready {
  readonly url: string;
  /** The URLs of the service's own parts. */
  readonly environment: Environment;
}

export type Order =
  | { readonly do: 'invoke'; readonly name: string; readonly event: unknown }
  /** Replaces URLs in the functions' environment. */
  | { readonly do: 'redirect'; readonly environment: Environment }
  | { readonly do: 'advance'; readonly milliseconds: number }
  /** The next call of a function throws; unless it is a workflow step, the error quotes the event. */
  | { readonly do: 'crash'; readonly name: string }
  /** Writes a text everywhere the service logs or stores anything. */
  | { readonly do: 'plant'; readonly text: string }
  | { readonly do: 'measure' }
  | { readonly do: 'list executions' }
  | { readonly do: 'list messages' }
  | { readonly do: 'end' };

/** Resource usage of the process after a garbage collection. */
export interface Measurement {
  readonly heapUsed: number;
  readonly rss: number;
  readonly executions: { readonly running: number; readonly ended: number };
}

export interface Numbered {
  readonly id: number;
  readonly order: Order;
}

export type Report =
  | { readonly ready: Ready }
  | { readonly id: number; readonly result?: unknown; readonly error?: string };
