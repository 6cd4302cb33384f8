/** The messages between a test and the service's process that it has started. */

/** The environment variable with the JSON of what the process starts with. */
export const startVariable = 'SERVICE_PROCESS_START';

export interface Numbered {
  readonly id: number;
  readonly order: unknown;
}

export type Report =
  | { readonly ready: unknown }
  | { readonly id: number; readonly result?: unknown; readonly error?: string };
