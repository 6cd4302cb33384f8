/**
 * Access to AWS without a network: a request through it compiles the code from the client down to Node's HTTP module.
 */
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { Duplex } from 'node:stream';
import type { AwsAccess } from './aws-access.ts';

const attributes = { pk: { S: 'warm-up' }, sk: { S: 'warm-up' }, count: { N: '1' }, list: { L: [{ N: '1' }] } };

/** One response that fits every command of a warm-up, because clients ignore unknown members. */
const body = JSON.stringify({
  Attributes: attributes,
  Item: attributes,
  Items: [attributes],
  executionArn: 'warm-up',
});

const response = [
  'HTTP/1.1 200 OK',
  'Content-Type: application/x-amz-json-1.0',
  `Content-Length: ${body.length}`,
  'Connection: close',
  '',
  body,
].join('\r\n');

/** A fake connection that responds to the first data written to it. */
function connection(): Duplex {
  let isSent = false;
  const socket = new Duplex({
    read() {},
    write(_chunk, _encoding, done) {
      if (!isSent) this.push(response);
      isSent = true;
      done();
    },
  });
  const unchanged = () => socket;
  return Object.assign(socket, {
    ref: unchanged,
    unref: unchanged,
    setKeepAlive: unchanged,
    setNoDelay: unchanged,
    setTimeout: unchanged,
  });
}

export const warmUpAccess = (access: AwsAccess): AwsAccess => ({
  ...access,
  requestHandler: {
    httpAgent: Object.assign(new HttpAgent(), { createConnection: connection }),
    httpsAgent: Object.assign(new HttpsAgent(), { createConnection: connection }),
  },
});
