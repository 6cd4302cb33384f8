import { once } from 'node:events';
import { connect, createServer, Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type Connect, connectTcp, dialAddress, secureSocket } from '../../shared/platform/dial-address.ts';
import { AUTHORITY, httpsOrigin, listen, tcpOrigin } from './fixtures/loopback-origin.ts';

const untilEnd = (): AbortSignal => {
  const ended = new AbortController();
  onTestFinished(() => ended.abort());
  return ended.signal;
};

/** Connects to local ports by addresses that are mapped to them; other addresses never respond. */
function network(ports: Readonly<Record<string, number>>) {
  const dials: { address: string; port: number; socket: Socket }[] = [];
  const connectThere: Connect = ({ address, port }) => {
    const local = ports[address];
    const socket = local === undefined ? new Socket() : connect({ host: '127.0.0.1', port: local });
    dials.push({ address, port, socket });
    onTestFinished(() => void socket.destroy());
    return socket;
  };
  return { dials, connect: connectThere };
}

const closedPort = async (): Promise<number> => {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
};

const openPort = () => listen(createServer());

describe('connecting to a list of addresses', () => {
  test('uses the first address that accepts a connection, aborts earlier attempts and tries no later addresses', async () => {
    const { dials, connect: there } = network({ refusing: await closedPort(), open: await openPort() });
    const socket = await dialAddress(['refusing', 'open', 'other'], 443, { connect: there, signal: untilEnd() });
    expect(dials.map(({ address, port }) => [address, port])).toEqual([
      ['refusing', 443],
      ['open', 443],
    ]);
    expect(socket).toBe(dials[1]?.socket);
    expect(dials.map(({ socket: { destroyed } }) => destroyed)).toEqual([true, false]);
  });

  test('fails with the last error after three addresses have failed, and tries no fourth', async () => {
    const closed = await closedPort();
    const { dials, connect: there } = network({ a: closed, b: closed, c: closed, d: closed });
    const dial = dialAddress(['a', 'b', 'c', 'd'], 443, { connect: there, signal: untilEnd() });
    const error: unknown = await dial.catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'ECONNREFUSED' });
    expect(dials.map(({ address }) => address)).toEqual(['a', 'b', 'c']);
    expect(dials.every(({ socket: { destroyed } }) => destroyed)).toBe(true);
  });

  test('stops when it is aborted, even if there are more addresses', async () => {
    const { dials, connect: there } = network({ open: await openPort() });
    const called = new AbortController();
    const dial = dialAddress(['silent', 'open'], 443, { connect: there, signal: called.signal });
    called.abort(new Error('enough'));
    await expect(dial).rejects.toMatchObject({ name: 'AbortError' });
    expect(dials.map(({ address, socket: { destroyed } }) => [address, destroyed])).toEqual([['silent', true]]);
  });

  test('fails if the list is empty', async () => {
    const { connect: there } = network({});
    const dial = dialAddress([], 443, { connect: there, signal: untilEnd() });
    await expect(dial).rejects.toThrow('there is no address to connect to');
  });

  test('returns a socket whose later failure does not end the process', async () => {
    const { connect: there } = network({ open: await openPort() });
    const socket = await dialAddress(['open'], 443, { connect: there, signal: untilEnd() });
    expect(() => socket.emit('error', new Error('late'))).not.toThrow();
  });
});

test('dialing opens a TCP connection to the given address and port', async () => {
  const received = Promise.withResolvers<string>();
  const port = await tcpOrigin((socket) => void socket.once('data', (chunk) => received.resolve(String(chunk))));
  const socket = connectTcp({ address: '127.0.0.1', port });
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  socket.write('hello');
  expect([socket.remoteAddress, socket.remotePort]).toEqual(['127.0.0.1', port]);
  expect(await received.promise).toBe('hello');
});

describe('a TLS connection', () => {
  const opened = async (port: number): Promise<Socket> => {
    const socket = connectTcp({ address: '127.0.0.1', port });
    onTestFinished(() => void socket.destroy());
    await once(socket, 'connect');
    return socket;
  };
  const respondingOrigin = () => httpsOrigin((_request, response) => void response.end());
  const secured = async (host: string, port: number) =>
    secureSocket(await opened(port), host, { ca: AUTHORITY, signal: untilEnd() });

  test('verifies the certificate for its host, sends the host as server name and negotiates HTTP/1.1', async () => {
    const { port, serverNames } = await respondingOrigin();
    const socket = await secured('hook.example.test', port);
    expect(socket).toBeInstanceOf(TLSSocket);
    expect(socket).toMatchObject({ authorized: true, alpnProtocol: 'http/1.1' });
    expect(serverNames).toEqual(['hook.example.test']);
  });

  test('to a literal address verifies the certificate against the address, and sends no server name', async () => {
    const { port, serverNames } = await respondingOrigin();
    expect(await secured('203.0.114.7', port)).toMatchObject({ authorized: true });
    expect(serverNames).toEqual([]);
    await expect(secured('203.0.114.8', port)).rejects.toMatchObject({ code: 'ERR_TLS_CERT_ALTNAME_INVALID' });
  });

  test('trusts the certificate authorities of Node.js by default', async () => {
    const { port } = await respondingOrigin();
    const socket = await opened(port);
    const secure = secureSocket(socket, 'hook.example.test', { ca: undefined, signal: untilEnd() });
    await expect(secure).rejects.toMatchObject({ code: expect.stringMatching(/ISSUER|SELF_SIGNED|VERIFY/) });
  });

  test('stops its handshake when the call is aborted', async () => {
    const port = await tcpOrigin(() => undefined);
    const called = new AbortController();
    const options = { ca: AUTHORITY, signal: called.signal };
    const secure = secureSocket(await opened(port), 'hook.example.test', options);
    called.abort();
    await expect(secure).rejects.toMatchObject({ name: 'AbortError' });
  });

  test('does not end the process if it fails later', async () => {
    const { port } = await respondingOrigin();
    const socket = await secured('hook.example.test', port);
    expect(() => socket.emit('error', new Error('late'))).not.toThrow();
  });
});

const passed = (milliseconds: number): Promise<string> =>
  new Promise((done) => setTimeout(() => done('still waiting'), milliseconds));

describe('a connection attempt that gets no response', () => {
  test('is followed by an attempt at the next address, and leaves no socket open', async () => {
    const { dials, connect: there } = network({ open: await openPort() });
    await dialAddress(['silent', 'open'], 443, { connect: there, signal: untilEnd() });
    expect(dials.map(({ socket: { destroyed } }) => destroyed)).toEqual([true, false]);
  });

  test('to the last address gets all of the remaining time', async () => {
    const { connect: there } = network({});
    const called = new AbortController();
    const dial = dialAddress(['silent'], 443, { connect: there, signal: called.signal });
    const first = await Promise.race([dial.catch(() => 'given up'), passed(2300)]);
    called.abort();
    await expect(dial).rejects.toMatchObject({ name: 'AbortError' });
    expect(first).toBe('still waiting');
  });
});
