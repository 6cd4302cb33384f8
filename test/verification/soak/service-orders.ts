/** What the soak says to the service's process, and what that answers. */

export interface Order {
  readonly id: number;
  /** `look` tells how the process is; otherwise one of the service's functions is called. */
  readonly what: 'look' | 'invoke';
  readonly functionName?: string;
  readonly event?: unknown;
}

/** The process after a garbage collection. */
export interface Look {
  readonly heapUsed: number;
  readonly rss: number;
  /** What keeps the process going, by kind: sockets, timers, … */
  readonly resources: Readonly<Record<string, number>>;
  readonly executions: { readonly running: number; readonly ended: number };
}

export interface Started {
  readonly url: string;
  /** The environment of the service's functions, with AWS itself in it and not what stands before it. */
  readonly environment: Readonly<Record<string, string>>;
}

export type Report =
  | { readonly started: Started }
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly error: string };

/** The environment variables that the process is started with. */
export const serviceVariables = {
  awsUrl: 'SOAK_AWS_URL',
  dataDir: 'SOAK_DATA_DIR',
  engineUrl: 'SOAK_ENGINE_URL',
  engineKey: 'SOAK_ENGINE_KEY',
  pace: 'SOAK_PACE',
} as const;
