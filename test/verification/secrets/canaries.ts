/**
 * Canaries: recognizable secrets of the service itself, and texts that customers and engines entrust to it. Tests
 * search all outputs for them.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { settingVariables } from '../../../shared/platform/settings.ts';
import type { ObservedService } from './observed-service.ts';
import type { Canary } from './search.ts';

export type Words = ReturnType<typeof randomWords>;

/** Random texts by their names, for requests and responses. */
export function randomWords(secret: (bytes: number) => string) {
  const word = () => secret(12);
  return {
    /** A text to be spoken, with characters that each way of quoting escapes differently. */
    prompt: `${word()} é"\\ <b>&\n${word()}`,
    voiceId: word(),
    clientReference: word(),
    idempotencyKey: word(),
    /** A text in the path and the query of a webhook's URL. */
    callbackAddress: word(),
    /** A text in the query of an image's URL. */
    imageAddress: word(),
    /** A property of a body, and a name in a query, that no contract defines. */
    unknownMember: word(),
    accountName: word(),
    /** An engine's own error messages and error code. */
    engineWords: word(),
    /** A text that an engine adds to the URL of its result. */
    resultAddress: word(),
    /** A text in a receiver's response to a webhook. */
    receiverWords: word(),
    /** A key for the engine that cannot be sent in a header. */
    brokenKey: `${word()}\n${word()}`,
    /** The descriptions of products and avatars, and the data that they were made from. */
    productText: word(),
    avatarName: word(),
    origin: word(),
    /** The title of another account's product. */
    strangersProduct: word(),
    /** The payer of a credit pack. */
    payerName: word(),
    payerEmail: `${word()}@example.com`,
    payerTaxId: '12ABC34501DE35',
    /** The key of a provider, and its own error messages. */
    providerKey: `${word()}:${word()}`,
    providerWords: word(),
    /** The words spoken in a video. */
    spoken: word(),
    /** A text that is written on purpose to every output that is searched, to prove that the search finds it there. */
    planted: word(),
  };
}

export const wordCanaries = (words: Words): Canary[] => Object.entries(words).map(([name, text]) => ({ name, text }));

/** Every Ed25519 key begins with the same 16 bytes. */
const pemStart = 24;

const signingKeys = (directory: string): Canary[] =>
  readdirSync(directory).map((file) => {
    const [, body = ''] = /-----\n(.+)\n-----/.exec(readFileSync(join(directory, file), 'utf8')) ?? [];
    return { name: 'signingKey', text: body.slice(pemStart) };
  });

/** The private number of a P-256 key, which follows 36 bytes that are the same in every key. */
function contentKey(path: string): Canary {
  const body = readFileSync(path, 'utf8').replaceAll(/-----.*-----|\s/g, '');
  return { name: 'contentKey', text: body.slice(48, 90) };
}

/** The keys that the service made itself. */
export function keyCanaries({ environment }: Pick<ObservedService, 'environment'>): Canary[] {
  const setting = (name: keyof typeof settingVariables) => environment[settingVariables[name]] ?? '';
  return [
    { name: 'engineKey', text: setting('offlineEngineKey') },
    { name: 'callbackKey', text: setting('engineCallbackKey') },
    { name: 'webhookTokenKey', text: readFileSync(setting('webhookTokenKey'), 'utf8') },
    ...signingKeys(setting('webhookSigningKeys')),
    contentKey(setting('contentSigningKey')),
  ];
}

/** A token with the secret that its webhooks carry. */
export const tokenCanaries = (made: { readonly token: string; readonly webhookToken: string }): Canary[] => [
  { name: 'apiToken', text: made.token },
  { name: 'webhookToken', text: made.webhookToken },
];

/** The secret in the callback URL of a task, which only the engine may know. */
export const sealCanary = (callbackUrl: string): Canary => ({
  name: 'callbackSeal',
  text: callbackUrl.slice(callbackUrl.lastIndexOf('.') + 1),
});

/** The secrets that protect an uploaded file: its form, its permanent URL, and the secret in that. */
export const uploadCanary = ({ fields }: { readonly fields: Readonly<Record<string, string>> }): Canary => ({
  name: 'uploadSignature',
  text: fields['X-Amz-Signature'] ?? '',
});

export const fileCanary = (url: string): Canary => ({
  name: 'fileAddress',
  text: /-([0-9a-f]{32})\.\w+$/.exec(url)?.[1] ?? '',
});

/** The signature in the URL of an input's copy, with which anyone can read it. */
export const inputCanary = (address: string): Canary => ({
  name: 'inputSignature',
  text: new URL(address).searchParams.get('X-Amz-Signature') ?? '',
});

const taskToken = /[0-9a-f]{16}(?=\.[0-9a-f]{64})/g;

/** Task tokens of state machines all begin with the text that names their issuer. */
export const taskTokenCanaries = (workflowSaid: Buffer): Canary[] =>
  [...new Set(workflowSaid.toString('latin1').match(taskToken))].map((text) => ({ name: 'taskToken', text }));
