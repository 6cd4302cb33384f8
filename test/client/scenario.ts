/** The scenarios that both clients must pass; `scenarios/README.md` describes them. */
import { globSync, readFileSync } from 'node:fs';

export interface Expectation {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string | null>>;
  readonly body?: unknown;
  readonly form?: readonly (readonly [name: string, text: string])[];
  readonly bytes?: number;
}

export type Fault = 'reset-before-head' | 'reset-after-head' | 'truncated' | 'cut' | 'hang';

export interface ScriptedResponse {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly data?: unknown;
  readonly error?: { readonly code: string; readonly message: string };
  readonly text?: string;
  readonly fault?: Fault;
}

export interface Exchange {
  readonly expect: Expectation;
  /** The response; absent if the caller aborts during the request. */
  readonly respond?: ScriptedResponse;
  readonly repeat?: number;
}

export interface ExpectedError {
  readonly kind: string;
  readonly [member: string]: unknown;
}

export interface Step {
  readonly call: string;
  readonly request?: Readonly<Record<string, unknown>>;
  readonly exchanges: readonly Exchange[];
  readonly waits?: readonly (readonly [min: number, max: number])[];
  readonly abort?: { readonly before?: true; readonly wait?: number; readonly request?: number };
  readonly progress?: readonly number[];
  readonly returns?: unknown;
  readonly throws?: ExpectedError;
}

export interface Scenario {
  readonly title: string;
  readonly options?: Readonly<Record<string, number>>;
  readonly random?: number;
  readonly steps: readonly Step[];
}

export interface Simulation {
  readonly title: string;
  readonly tasks: number;
  readonly endsAfterSeconds: readonly [first: number, last: number];
  readonly failsEvery: number;
  readonly retryAfterSeconds: number;
  readonly maxRequests: number;
}

const read = (file: string): unknown => JSON.parse(readFileSync(`test/client/${file}`, 'utf8'));

export const scenarios: readonly Scenario[] = globSync('scenarios/*.json', { cwd: 'test/client' })
  .toSorted()
  .flatMap((file) => read(file) as readonly Scenario[]);

export const simulations = read('simulations.json') as readonly Simulation[];
