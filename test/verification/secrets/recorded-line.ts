/** A TCP proxy between the service and another party, which records all bytes and can be made to fail. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect, createServer, type Socket } from 'node:net';

/**
 * `cut` ends the connection in the middle; `garbled` corrupts the head of the response only; `held` keeps
 * requests until the line is restored.
 */
export type Fault = 'cut' | 'garbled' | 'held';

/** The first letters of HTTP: if they are corrupted, no parser recognizes a response. */
const spoilt = (bytes: Buffer): Buffer => Buffer.concat([Buffer.from('HTTQ'), bytes.subarray(4)]);

interface Relay {
  readonly target: URL;
  /** Records the bytes and decides how to proceed. */
  readonly keep: (from: 'client' | 'server', bytes: Buffer) => Fault | undefined;
  /** Does something once the line is restored. */
  readonly hold: (pass: () => void) => void;
}

function relay(client: Socket, { target, keep, hold }: Relay): void {
  const server = connect(Number(target.port), target.hostname);
  let fault: Fault | undefined;
  client.on('data', (bytes) => {
    fault = keep('client', bytes) ?? fault;
    if (fault === 'cut') client.destroy();
    else if (fault === 'held') hold(() => server.write(bytes));
    else server.write(bytes);
  });
  server.on('data', (bytes) => {
    keep('server', bytes);
    client.write(fault === 'garbled' ? spoilt(bytes) : bytes);
    fault = undefined;
  });
  for (const [one, other] of [[client, server] as const, [server, client] as const]) {
    one.on('error', () => other.destroy());
    one.on('close', () => other.destroy());
  }
}

export async function recordedLine(url: string) {
  const kept: Buffer[][] = [];
  const clients = new Set<Socket>();
  const held: (() => void)[] = [];
  let holding = 0;
  let target = new URL(url);
  let failing: { readonly fault: Fault; readonly requests: RegExp } | undefined;

  const server = createServer((client) => {
    clients.add(client);
    client.once('close', () => clients.delete(client));
    const said: Record<'client' | 'server', Buffer[]> = { client: [], server: [] };
    kept.push(said.client, said.server);
    relay(client, {
      target,
      keep(from, bytes) {
        said[from].push(bytes);
        if (from === 'server' || !failing?.requests.test(bytes.toString('latin1'))) return undefined;
        if (failing.fault === 'held') holding += 1;
        return failing.fault;
      },
      hold: (pass) => void (failing ? held.push(pass) : pass()),
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** All bytes in both directions, one connection after the other. */
    said: () => Buffer.concat(kept.flat()),
    leadTo(next: string): void {
      target = new URL(next);
      // Existing connections are closed, because they would still lead to the previous target.
      for (const client of clients) client.destroy();
    },
    /** The treatment of requests whose first bytes match, until the line is restored. */
    fail(fault: Fault, requests: RegExp): void {
      failing = { fault, requests };
    },
    mend(): void {
      failing = undefined;
      holding = 0;
      for (const pass of held.splice(0)) pass();
    },
    /** How many requests are held. */
    get holding() {
      return holding;
    },
    async close(): Promise<void> {
      server.close();
      for (const client of clients) client.destroy();
      await once(server, 'close');
    },
  };
}
