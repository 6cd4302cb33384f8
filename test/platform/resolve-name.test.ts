/** How names are resolved whose servers answer, fail or keep silent. */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { afterAll, expect, test } from 'vitest';
import { resolverAt } from '../../shared/platform/resolve-name.ts';

const ipv4 = 1;
const headerBytes = 12;
const [noError, noSuchName] = [0x8180, 0x8183];

/** The answer to a question: a header, the question itself, and perhaps an address of the name in it. */
function answerTo(question: Buffer, address: readonly number[] | undefined, status = noError): Buffer {
  const answer = Buffer.from(question.subarray(0, question.indexOf(0, headerBytes) + 5));
  answer.writeUInt16BE(status, 2);
  answer.writeUInt16BE(address ? 1 : 0, 6);
  // What the question added to itself is left out.
  answer.writeUInt32BE(0, 8);
  const found = address ? [0xc0, headerBytes, 0, ipv4, 0, 1, 0, 0, 0, 60, 0, 4, ...address] : [];
  return Buffer.concat([answer, Buffer.from(found)]);
}

/** A name server: `slow…` gets no answer, `half…` none about IPv6, `none…` does not exist; others have an IPv4 address. */
const server = createSocket('udp4', (question, { address, port }) => {
  const end = question.indexOf(0, headerBytes);
  const [name, isIpv4] = [question.toString('latin1', headerBytes + 1, end), question.readUInt16BE(end + 1) === ipv4];
  if (name.startsWith('slow') || (name.startsWith('half') && !isIpv4)) return;
  const answer = name.startsWith('none')
    ? answerTo(question, undefined, noSuchName)
    : answerTo(question, isIpv4 ? [192, 0, 2, 7] : undefined);
  server.send(answer, port, address);
});
server.bind(0, '127.0.0.1');
await once(server, 'listening');
afterAll(() => server.close());
const servers = [`127.0.0.1:${server.address().port}`];

test('a name is resolved while the servers of many others keep silent', async () => {
  const resolve = resolverAt(servers);
  let ended = 0;
  for (let index = 0; index < 50; index += 1) {
    void resolve(`slow${index}.example.com`).catch(() => {
      ended += 1;
    });
  }
  expect(await resolve('shop.example.com')).toEqual(['192.0.2.7']);
  expect(ended).toBe(0);
});

test('a name whose server keeps silent about IPv6 has its IPv4 addresses', async () => {
  expect(await resolverAt(servers, 200)('half.example.com')).toEqual(['192.0.2.7']);
});

test('a name that does not exist, or whose server keeps silent, has no addresses', async () => {
  const resolve = resolverAt(servers, 200);
  for (const name of ['none.example.com', 'slow.example.com'])
    await expect(resolve(name)).rejects.toThrow('no addresses');
});
