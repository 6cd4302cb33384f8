/** The orders of a test to the service's process. */

export interface Start {
  readonly dataDir: string;
  /** Multiplies the state machine's waits. */
  readonly pace: number;
}

export type Order =
  /** Goes on by other addresses of its parts. */
  | { readonly do: 'go by'; readonly environment: Readonly<Record<string, string>> }
  | { readonly do: 'invoke'; readonly name: string; readonly event: unknown }
  | { readonly do: 'advance'; readonly milliseconds: number }
  /** The next call of a function ends in a crash; but for a step's, it quotes what the function was called with. */
  | { readonly do: 'crash'; readonly name: string }
  /** Says a text wherever the service says or keeps anything. */
  | { readonly do: 'plant'; readonly text: string }
  | { readonly do: 'list executions' }
  | { readonly do: 'tell messages' }
  | { readonly do: 'end' };

export interface Ready {
  readonly url: string;
  /** Where its parts are. */
  readonly environment: Readonly<Record<string, string>>;
  readonly token: string;
  readonly webhookToken: string;
}
