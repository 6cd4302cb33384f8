import { createPublicKey, verify } from 'node:crypto';

const serviceKeys = 'https://api.example.com/.well-known/webhook-keys.json';

/** The event of a webhook; undefined if it is forged or old. `body` is the request's body exactly as received. */
export async function verifiedEvent(headers, body, keysUrl = serviceKeys) {
  const id = headers['webhook-id'];
  const timestamp = headers['webhook-timestamp'];
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) < 300)) return undefined;
  const { keys } = await (await fetch(keysUrl)).json();
  const signed = Buffer.from(`${id}.${timestamp}.${body}`);
  const signatures = (headers['webhook-signature'] ?? '').split(' ').filter((one) => one.startsWith('v1a,'));
  const isGenuine = signatures.some((signature) =>
    keys.some((key) => {
      const publicKey = createPublicKey({ key, format: 'jwk' });
      return verify(null, signed, publicKey, Buffer.from(signature.slice('v1a,'.length), 'base64'));
    }),
  );
  return isGenuine ? JSON.parse(body) : undefined;
}
