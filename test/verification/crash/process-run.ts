/** One run of the service's process, from its start to its end, usually by a kill. */
import { type ServiceProcess, startProcess } from '../process/service-process.ts';

/** What the first sweep after a start covers. */
export type Sweeps = 'everything' | 'due' | 'nothing';

export interface Start {
  readonly dataDir: string;
  /** How far the service's clock is ahead of the real one. */
  readonly aheadMs: number;
  readonly sweeps: Sweeps;
  readonly engineCompletion: 'callback' | 'polling';
  readonly pace: number;
  /** Replaces addresses in the functions' environment. */
  readonly environment: Readonly<Record<string, string>>;
  /** Where functions report that they are called and that they return. */
  readonly functionsUrl: string;
}

/** Calls one of the service's functions. */
export interface Call {
  readonly name: string;
  readonly event: unknown;
}

export type ProcessRun = ServiceProcess<true, Call>;

export const startRun = (start: Start): ProcessRun =>
  startProcess({ program: new URL('./crashing-service.ts', import.meta.url), start });
