/** A proxy between the service and another party, which records all messages and can be made to fail. */
import { type Exchange, type Outcome, proxy } from '../faults/proxy.ts';

/**
 * `cut` ends the connection in the middle; `garbled` corrupts the head of the response only; `held` keeps
 * requests until the line is restored.
 */
export type Fault = 'cut' | 'garbled' | 'held';

const headText = (headers: Readonly<Record<string, unknown>> = {}): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${String(value)}\n`)
    .join('');

/** A message: its first line, its headers and its body. */
const written = (first: string | number, headers: Parameters<typeof headText>[0], body: Buffer | string = ''): Buffer =>
  Buffer.concat([Buffer.from(`${first}\n${headText(headers)}\n`), Buffer.from(body), Buffer.from('\n')]);

export async function recordedLine(url: string) {
  const kept: Buffer[] = [];
  let holding = 0;
  let mended = Promise.withResolvers<void>();
  let target = url;
  let failing: { readonly fault: Fault; readonly requests: RegExp } | undefined;

  /** The fault of a request, which it keeps until the line is restored. */
  function faultOf({ incoming: { headers, method, url: path }, body }: Exchange): Fault | undefined {
    const said = written(`${method} ${path}`, headers, body);
    kept.push(said);
    return failing?.requests.test(said.toString('latin1')) ? failing.fault : undefined;
  }

  async function decide(exchange: Exchange): Promise<Outcome> {
    const fault = faultOf(exchange);
    if (fault === 'cut') return 'hang up';
    if (fault === 'held') {
      holding += 1;
      await mended.promise;
    }
    const reply = await exchange.forward(target);
    const said = written(reply.status, reply.headers, reply.body);
    kept.push(said);
    if (fault !== 'garbled') return reply;
    // No parser recognizes a response whose first letters are not those of HTTP.
    exchange.response.socket?.end(Buffer.concat([Buffer.from('HTTQ/1.1 '), said]));
    return 'silence';
  }

  const { close, url: own } = await proxy(decide);
  return {
    url: own,
    close,
    /** All messages in both directions. */
    said: () => Buffer.concat(kept),
    leadTo(next: string): void {
      target = next;
    },
    /** The treatment of requests that match, until the line is restored. */
    fail(fault: Fault, requests: RegExp): void {
      failing = { fault, requests };
    },
    mend(): void {
      failing = undefined;
      holding = 0;
      mended.resolve();
      mended = Promise.withResolvers();
    },
    /** How many requests are held. */
    get holding() {
      return holding;
    },
  };
}
