/** The thread on which the local service calls the C2PA library. */
import { parentPort } from 'node:worker_threads';
import { c2paModule } from '../../shared/provenance/c2pa-module.ts';
import { type Assertion, type Draft, draftHere, type Marking, type Signed } from '../../shared/provenance/manifest.ts';
import type { SignerDefinition } from '../../shared/provenance/manifest-signer.ts';

/** A message that loads the library, starts a manifest, has it signed, answers with a signature, or ends it. */
export type ToWorker = { readonly id: number } & (
  | { readonly isLoading: true }
  | { readonly marking: Marking }
  | { readonly signer: Omit<SignerDefinition, 'sign'>; readonly replaced: Assertion | undefined }
  | { readonly signature: Uint8Array<ArrayBuffer> | undefined }
  | { readonly isOver: true }
);

/** A message that asks for a signature, or says how a step has ended: with an error, or with what it has signed. */
export type FromWorker = { readonly id: number } & (
  | { readonly payload: Uint8Array }
  | { readonly signed: Signed | undefined }
  | { readonly error: unknown }
);

const drafts = new Map<number, Draft>();
const signatures = new Map<number, PromiseWithResolvers<Uint8Array<ArrayBuffer>>>();

const send = (message: FromWorker): void => parentPort?.postMessage(message, []);

function askForSignature(id: number, payload: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  const asked = Promise.withResolvers<Uint8Array<ArrayBuffer>>();
  signatures.set(id, asked);
  send({ id, payload });
  return asked.promise;
}

async function step(message: ToWorker): Promise<Signed | undefined> {
  const { id } = message;
  if ('isLoading' in message) await c2paModule();
  if ('marking' in message) drafts.set(id, await draftHere(message.marking));
  if (!('signer' in message)) return undefined;
  const sign = (payload: Uint8Array) => askForSignature(id, payload);
  return drafts.get(id)?.sign({ ...message.signer, sign }, message.replaced);
}

parentPort?.on('message', (message: ToWorker) => {
  const { id } = message;
  if ('signature' in message) {
    const { signature } = message;
    if (signature) signatures.get(id)?.resolve(signature);
    else signatures.get(id)?.reject(new Error('the signing key has failed'));
  } else if ('isOver' in message) {
    drafts.get(id)?.free();
    drafts.delete(id);
    signatures.delete(id);
  } else
    step(message).then(
      (signed) => send({ id, signed }),
      (error: unknown) => send({ id, error }),
    );
});
