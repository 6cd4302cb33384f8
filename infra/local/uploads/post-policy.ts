/** Checks the signed policy of an upload form as S3 does. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import * as z from 'zod';
import { localAccess } from '../local-access.ts';

/** An S3 error: its status, code and message. */
export interface StorageError {
  readonly status: number;
  readonly code: string;
  readonly message: string;
}

export type Fields = Readonly<Record<string, string>>;

const denied = (message: string): StorageError => ({ status: 403, code: 'AccessDenied', message });
const violated = (what: string): StorageError => denied(`Invalid according to Policy: ${what}`);

const Condition = z.union([
  z.tuple([z.literal('content-length-range'), z.int(), z.int()]),
  z.tuple([z.enum(['eq', 'starts-with']), z.string(), z.string()]),
  z.record(z.string(), z.string()),
]);

const Policy = z.object({ expiration: z.iso.datetime(), conditions: z.array(Condition) });

type Condition = z.output<typeof Condition>;

/** Field names are case-insensitive. */
const lowered = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name.toLowerCase(), value]));

function policyIn(text: string): z.output<typeof Policy> | undefined {
  try {
    return Policy.safeParse(JSON.parse(Buffer.from(text, 'base64').toString())).data;
  } catch {
    return undefined;
  }
}

const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();

/** Whether the encoded policy has a valid Signature Version 4. */
function isSigned({ policy = '', 'x-amz-credential': credential = '', 'x-amz-signature': signature = '' }: Fields) {
  const [keyId, date = '', region = '', service = '', end = ''] = credential.split('/');
  const { accessKeyId, secretAccessKey } = localAccess('').credentials;
  const secret = `AWS4${secretAccessKey}`;
  const key = [region, service, end].reduce((previous, part) => hmac(previous, part), hmac(secret, date));
  const expected = Buffer.from(hmac(key, policy).toString('hex'));
  const given = Buffer.from(signature);
  const isEqual = expected.length === given.length && timingSafeEqual(expected, given);
  return isEqual && keyId === accessKeyId;
}

const sizeError = (size: number, [, from, to]: readonly ['content-length-range', number, number]) => {
  if (size < from) {
    return {
      status: 400,
      code: 'EntityTooSmall',
      message: 'Your proposed upload is smaller than the minimum allowed size',
    };
  }
  const message = 'Your proposed upload exceeds the maximum allowed size';
  return size > to ? { status: 400, code: 'EntityTooLarge', message } : undefined;
};

/** Converts a condition on fields to its long form. */
const comparisons = (condition: Condition): (readonly ['eq' | 'starts-with', string, string])[] => {
  if (!Array.isArray(condition)) {
    return Object.entries(condition).map(([name, value]) => ['eq', `$${name}`, value] as const);
  }
  return condition[0] === 'content-length-range' ? [] : [condition];
};

const holds = (fields: Fields, [kind, name, value]: ReturnType<typeof comparisons>[number]): boolean => {
  const given = fields[name.slice(1).toLowerCase()];
  return kind === 'eq' ? given === value : (given?.startsWith(value) ?? false);
};

/** The fields that need no condition in the policy. */
const unchecked = /^(policy|x-amz-signature|awsaccesskeyid|signature|file|x-ignore-.*)$/;

/** Why S3 would reject a form with a file of this size; undefined if it would accept it. */
export function policyError(given: Fields, size: number, now: number): StorageError | undefined {
  const fields = lowered(given);
  if (!fields.policy) return denied('Access Denied');
  if (!isSigned(fields)) {
    const message = 'The request signature we calculated does not match the signature you provided.';
    return { status: 403, code: 'SignatureDoesNotMatch', message };
  }
  const policy = policyIn(fields.policy);
  if (!policy) return { status: 400, code: 'InvalidPolicyDocument', message: 'Invalid Policy: Invalid JSON.' };
  if (Date.parse(policy.expiration) <= now) return violated('Policy expired.');
  const compared = policy.conditions.flatMap(comparisons);
  const failed = compared.find((comparison) => !holds(fields, comparison));
  if (failed) return violated(`Policy Condition failed: ${JSON.stringify(failed)}`);
  const known = new Set(compared.map(([, name]) => name.slice(1).toLowerCase()));
  const extra = Object.keys(fields).find((name) => !known.has(name) && !unchecked.test(name));
  if (extra !== undefined) return violated(`Extra input fields: ${extra}`);
  const ranges = policy.conditions.filter((condition) => Array.isArray(condition));
  return ranges
    .filter((condition) => condition[0] === 'content-length-range')
    .map((range) => sizeError(size, range))
    .find((error) => error !== undefined);
}
