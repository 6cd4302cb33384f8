/** The operation by which anybody can find out whether the service published a file. */
import * as z from 'zod';
import { oneOf } from './fields.ts';
import { lookupsPerMinute, publishedRetentionDays } from './limits.ts';
import { mediaKinds } from './media.ts';
import { once } from './once.ts';
import type { OperationContract } from './operation.ts';
import { digitalSourceTypes, sourceTypeMeaning } from './provenance.ts';

const hexError = 'must be a SHA-256 digest: 64 hexadecimal digits';

const digestParams = once(() =>
  z.object({
    sha256: z
      .string({ error: hexError })
      .regex(/^[0-9a-fA-F]{64}$/, { error: hexError })
      .toLowerCase()
      .meta({ maxLength: 64, description: 'The SHA-256 digest of the file, in hexadecimal digits.' }),
  }),
);

const PublishedFile = once(() =>
  z
    .object({
      published: z.literal(true).describe('The service published exactly this file.'),
      publishedAt: z.iso.date().meta({ maxLength: 10 }).describe('The day (UTC) on which it was first published.'),
      medium: oneOf(mediaKinds).describe('The kind of file.'),
      digitalSourceType: oneOf(digitalSourceTypes).describe(sourceTypeMeaning),
    })
    .meta({ id: 'PublishedFile', description: 'What the service tells anybody about a file that it published.' }),
);

export const publishedFileContracts = {
  findProvenance: {
    operationId: 'findProvenance',
    method: 'GET',
    path: '/api/v1/provenance/{sha256}',
    extension: true,
    tag: 'Public',
    scopes: [],
    idempotent: false,
    summary: 'Find out whether the service published a file',
    description: `For anybody who has a file: nothing about its account, its task or its texts is returned. Digests are stored for ${publishedRetentionDays} days by default, also when the task is deleted; results of test tokens have none. Anybody may ask about ${lookupsPerMinute} times a minute: each instance of the service counts the requests of an IPv4 address or an IPv6 network (/64) for itself.`,
    checksParams: true,
    get params() {
      return digestParams();
    },
    success: {
      status: 200,
      get data() {
        return PublishedFile();
      },
    },
    errors: ['NOT_FOUND'],
    furtherLimits: { RATE_LIMITED: `your address or network asked more than ${lookupsPerMinute} times in 60 seconds.` },
    example: {
      params: { sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08' },
      data: {
        published: true,
        publishedAt: '2026-11-21',
        medium: 'image',
        digitalSourceType: 'trainedAlgorithmicMedia',
      },
    },
  },
} as const satisfies Record<string, OperationContract>;
