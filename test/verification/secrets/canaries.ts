/** Canaries: the service's own secrets, and texts that customers and engines entrust to it. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { settingVariables } from '../../../shared/platform/settings.ts';
import type { Ready } from '../process/orders.ts';
import type { Canary } from './search.ts';

/** Random texts by their names, for requests and responses. */
export interface Words {
  /** What is to be spoken: with letters that every quoting writes differently. */
  readonly prompt: string;
  readonly voiceId: string;
  readonly clientReference: string;
  readonly idempotencyKey: string;
  /** In the path and the query of the address that a webhook goes to. */
  readonly callbackAddress: string;
  /** In the query of an image's URL. */
  readonly imageAddress: string;
  /** A member of a body, and a name in a query, that no contract knows. */
  readonly unknownMember: string;
  readonly accountName: string;
  /** An engine's own explanations, and its own code. */
  readonly engineWords: string;
  /** What an engine adds to the address of what it made. */
  readonly resultAddress: string;
  /** In a receiver's response to a webhook. */
  readonly receiverWords: string;
  /** A key for the engine that cannot be sent. */
  readonly brokenKey: string;
  /** What is said of products and avatars, and what they were made from. */
  readonly productText: string;
  readonly avatarName: string;
  readonly origin: string;
  /** A product of another account. */
  readonly strangersProduct: string;
  /** Who pays for a credit pack. */
  readonly payerName: string;
  readonly payerEmail: string;
  readonly payerTaxId: string;
  /** The key of a provider, and its own words. */
  readonly providerKey: string;
  readonly providerWords: string;
  /** What is said in a video. */
  readonly spoken: string;
  /** Said on purpose wherever the search is to look. */
  readonly planted: string;
}

export function randomWords(secret: (bytes: number) => string): Words {
  const word = () => secret(12);
  return {
    prompt: `${word()} é"\\ <b>&\n${word()}`,
    voiceId: word(),
    clientReference: word(),
    idempotencyKey: word(),
    callbackAddress: word(),
    imageAddress: word(),
    unknownMember: word(),
    accountName: word(),
    engineWords: word(),
    resultAddress: word(),
    receiverWords: word(),
    brokenKey: `${word()}\n${word()}`,
    productText: word(),
    avatarName: word(),
    origin: word(),
    strangersProduct: word(),
    payerName: word(),
    payerEmail: `${word()}@example.com`,
    payerTaxId: '12ABC34501DE35',
    providerKey: `${word()}:${word()}`,
    providerWords: word(),
    spoken: word(),
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
