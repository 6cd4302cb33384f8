/** An outbound port that serves one file, completely or in parts, without a network. */
import type { AccountInputs } from '../../shared/domain/files/account-inputs.ts';
import type { Outbound } from '../../shared/platform/outbound.ts';
import type { OutboundRequest } from '../../shared/platform/safe-fetch.ts';

interface ServedFile {
  readonly parts: readonly Uint8Array[];
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** The error with which the body fails after its last part. */
  readonly end?: Error;
}

export function servedFile({ parts, status = 200, headers = {}, end }: ServedFile) {
  const requests: (readonly [url: string, request: OutboundRequest])[] = [];
  /** The number of parts that were read, and of responses that were closed. */
  const seen = { parts: 0, closed: 0 };
  const outbound: Outbound & Pick<AccountInputs, 'isUpload' | 'lend'> = {
    isUpload: () => false,
    lend: async () => undefined,
    fetch: () => Promise.reject(new Error('nothing is fetched whole here')),
    admits: async () => true,
    open: async (url, request) => {
      requests.push([url, request]);
      async function* body() {
        for (const part of parts) {
          seen.parts += 1;
          yield part;
        }
        if (end) throw end;
      }
      const close = () => {
        seen.closed += 1;
      };
      return { status, headers, body: body(), close };
    },
  };
  return { outbound, requests, seen };
}

/** An outbound port on which every request fails. */
export const unreachable = (fault: Error): Outbound => ({
  fetch: () => Promise.reject(fault),
  open: () => Promise.reject(fault),
  admits: async () => true,
});
