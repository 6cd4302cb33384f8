/** Canaries: the service's own secrets, and texts that customers and engines entrust to it. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { settingVariables } from '../../../shared/platform/settings.ts';
import type { Ready } from '../process/orders.ts';
import type { Canary } from './search.ts';

export type Words = ReturnType<typeof randomWords>;

/** Random texts by their names, for requests and responses. */
export function randomWords(secret: (bytes: number) => string) {
  const word = () => secret(12);
  return {
    /** What is to be spoken: with letters that every quoting writes differently. */
    prompt: `${word()} é"\\ <b>&\n${word()}`,
    voiceId: word(),
    clientReference: word(),
    idempotencyKey: word(),
    /** In the path and the query of the address that a webhook goes to. */
    callbackAddress: word(),
    /** In the query of an image's URL. */
    imageAddress: word(),
    /** A member of a body, and a name in a query, that no contract knows. */
    unknownMember: word(),
    accountName: word(),
    /** An engine's own explanations, and its own code. */
    engineWords: word(),
    /** What an engine adds to the address of what it made. */
    resultAddress: word(),
    /** In a receiver's response to a webhook. */
    receiverWords: word(),
    /** A key for the engine that cannot be sent. */
    brokenKey: `${word()}\n${word()}`,
    /** What is said of products and avatars, and what they were made from. */
    productText: word(),
    avatarName: word(),
    origin: word(),
    /** A product of another account. */
    strangersProduct: word(),
    /** Who pays for a credit pack. */
    payerName: word(),
    payerEmail: `${word()}@example.com`,
    payerTaxId: '12ABC34501DE35',
    /** The key of a provider, and its own words. */
    providerKey: `${word()}:${word()}`,
    providerWords: word(),
    /** What is said in a video. */
    spoken: word(),
    /** Said on purpose wherever the search is to look. */
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

/** The keys that the service made itself. */
export function keyCanaries({ environment }: Pick<Ready, 'environment'>): Canary[] {
  const setting = (name: keyof typeof settingVariables) => environment[settingVariables[name]] ?? '';
  return [
    { name: 'engineKey', text: setting('offlineEngineKey') },
    { name: 'callbackKey', text: setting('engineCallbackKey') },
    { name: 'webhookTokenKey', text: readFileSync(setting('webhookTokenKey'), 'utf8') },
    ...signingKeys(setting('webhookSigningKeys')),
  ];
}

/** A token with the secret that its webhooks carry. */
export const tokenCanaries = (made: { readonly token: string; readonly webhookToken: string }): Canary[] => [
  { name: 'apiToken', text: made.token },
  { name: 'webhookToken', text: made.webhookToken },
];

/** What only the engine may know of where it reports on a task. */
export const sealCanary = (callbackUrl: string): Canary => ({
  name: 'callbackSeal',
  text: callbackUrl.slice(callbackUrl.lastIndexOf('.') + 1),
});

/** What an uploaded file is protected by: the form that takes it, its permanent address, and the secret in that. */
export const uploadCanary = ({ fields }: { readonly fields: Readonly<Record<string, string>> }): Canary => ({
  name: 'uploadSignature',
  text: fields['X-Amz-Signature'] ?? '',
});

export const fileCanary = (url: string): Canary => ({
  name: 'fileAddress',
  text: /-([0-9a-f]{32})\.\w+$/.exec(url)?.[1] ?? '',
});

/** What makes the copy of an input readable for everyone with its address. */
export const inputCanary = (address: string): Canary => ({
  name: 'inputSignature',
  text: new URL(address).searchParams.get('X-Amz-Signature') ?? '',
});

const taskToken = /[0-9a-f]{16}(?=\.[0-9a-f]{64})/g;

/** State machines' task tokens all begin with the text that names who issued them. */
export const taskTokenCanaries = (workflowSaid: Buffer): Canary[] =>
  [...new Set(workflowSaid.toString('latin1').match(taskToken))].map((text) => ({ name: 'taskToken', text }));
