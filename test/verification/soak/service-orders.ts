/** The orders of the soak to the service's process. */

export interface Start {
  readonly dataDir: string;
  readonly awsUrl: string;
  readonly engine: { readonly url: string; readonly key: string };
  /** Multiplies the state machine's waits. */
  readonly pace: number;
}

export type Order =
  | { readonly do: 'measure' }
  | { readonly do: 'invoke'; readonly name: string; readonly event: unknown };

/** The process after a garbage collection. */
export interface Look {
  readonly heapUsed: number;
  readonly rss: number;
  /** What keeps the process running, by kind: sockets, timers, … */
  readonly resources: Readonly<Record<string, number>>;
  readonly executions: { readonly running: number; readonly ended: number };
}

export interface Started {
  readonly url: string;
  /** The environment of the service's functions, with the addresses of AWS itself rather than of the proxy. */
  readonly environment: Readonly<Record<string, string>>;
}
