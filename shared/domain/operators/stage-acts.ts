/**
 * Operators' acts on keys and indexes. Only the command line can perform them, because they need an operator's
 * own access to AWS.
 */
import * as z from 'zod';
import { text } from '../../contracts/fields.ts';
import { act, type Facts } from './act.ts';
import type { ActNeeds } from './perform-act.ts';

/** The work of such an act, which needs more than the service's own dependencies. */
export interface Needs<Result> extends ActNeeds {
  readonly work: () => Promise<Result>;
}

/** Defines an act whose work the command line passes in. */
const stageAct =
  <Result extends object>() =>
  <Schema extends z.ZodType>({
    subject,
    ...definition
  }: {
    readonly name: string;
    readonly summary: string;
    readonly input: () => Schema;
    readonly subject: (input: z.output<Schema>) => string;
    /** The part of the result that the log shows. */
    readonly changed: (result: Result) => Facts;
  }) =>
    act({
      ...definition,
      role: 'admin',
      isForCommandLine: true,
      commits: 'in-steps',
      find: async (_needs: Needs<Result>, input) => ({ subject: subject(input), state: {} }),
      perform: ({ work }) => work(),
    });

export const setEngineKey = stageAct<{ readonly value: 'new' | 'replaced' }>()({
  name: 'setEngineKey',
  summary: 'Store or replace the key of an engine, a gateway or a network.',
  input: () => z.strictObject({ engine: text(1, 60) }),
  subject: ({ engine }) => `key of ${engine}`,
  changed: ({ value }) => ({ value }),
});

export const certifyContentKey = stageAct<{ readonly validUntil: string; readonly authority: string }>()({
  name: 'certifyContentKey',
  summary: 'Certify the key that signs the Content Credentials of results.',
  input: () => z.strictObject({ name: text(1, 64) }),
  subject: () => 'certificate of the key that signs results',
  changed: ({ validUntil }) => ({ validUntil }),
});

export interface Rotation {
  readonly kid: string;
  readonly file: string;
  readonly published: readonly { readonly kid: string }[];
  readonly earlierFiles: readonly string[];
}

export const installContentCertificates = stageAct<{ readonly signer: string; readonly validUntil: string }>()({
  name: 'installContentCertificates',
  summary: 'Store the certificates of the key that signs results, which an authority issued.',
  input: () => z.strictObject({ signer: z.string() }),
  subject: () => 'certificate of the key that signs results',
  changed: ({ validUntil }) => ({ validUntil }),
});

export const rotateWebhookKey = stageAct<Rotation>()({
  name: 'rotateWebhookKey',
  summary: 'On the local service only: add a key that signs webhooks.',
  input: () => z.strictObject({}),
  subject: () => 'keys that sign webhooks',
  changed: ({ kid }) => ({ kid }),
});

export const indexTable = stageAct<{ readonly rowsRead: number; readonly rowsChanged: number }>()({
  name: 'indexTable',
  summary: 'Make what earlier versions stored findable.',
  input: () => z.strictObject({}),
  subject: () => 'index of the search',
  changed: ({ rowsRead, rowsChanged }) => ({ rowsRead, rowsChanged }),
});

export const previewVoices = stageAct<{ readonly voices: readonly unknown[] }>()({
  name: 'previewVoices',
  summary: 'Make the recordings of voices that callers can listen to.',
  input: () => z.strictObject({ again: z.boolean().default(false) }),
  subject: () => 'recordings of voices',
  changed: ({ voices }) => ({ recordings: voices.length }),
});
