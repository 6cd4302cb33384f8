/** The bytes of an output, from wherever fal.ai put it: an address like any that a stranger gives. */
import type { Outbound } from '../../platform/outbound.ts';
import { OutboundFailed, type OutboundResponse } from '../../platform/safe-fetch.ts';
import type { EngineDownload, EngineOutput } from '../engine.ts';
import { plainType } from './fal-outputs.ts';

/** An enlarged photograph of the most pixels that are made has some 100 MB as a PNG. */
const maxBytes = 160 * 2 ** 20;
const bounds = { timeoutMs: 60_000, maxResponseBytes: maxBytes, onOverflow: 'fail', maxRedirects: 3 } as const;

/** What the first bytes look like, read as Latin-1. */
const heads: readonly (readonly [RegExp, string])[] = [
  [/^\x89PNG/, 'image/png'],
  [/^\xff\xd8\xff/, 'image/jpeg'],
  [/^RIFF.{4}WEBP/s, 'image/webp'],
  [/^GIF8/, 'image/gif'],
  [/^RIFF.{4}WAVE/s, 'audio/wav'],
  [/^ID3/, 'audio/mpeg'],
  [/^.{4}ftyp/s, 'video/mp4'],
];

const typeByHead = (body: Uint8Array): string | undefined => {
  const start = Buffer.from(body.subarray(0, 16)).toString('latin1');
  const [, type] = heads.find(([head]) => head.test(start)) ?? [];
  return type;
};

/** However often it is fetched it stays too large, which a fault, that may pass, would not say. */
const emptyWhenTooLarge = (error: unknown): OutboundResponse => {
  if (!(error instanceof OutboundFailed) || error.reason !== 'too-large') throw error;
  return { status: 200, headers: {}, body: new Uint8Array() };
};

/**
 * Throws when it can not be had within a minute. One of more than 160 MB is given as an empty file, which is no result
 * of any task: so it fails at once instead of being fetched again.
 */
export const downloadOutput = async (
  { url, contentType }: EngineOutput,
  { fetch }: Pick<Outbound, 'fetch'>,
): Promise<EngineDownload> => {
  const { status, headers, body } = await fetch(url, { method: 'GET', ...bounds }).catch(emptyWhenTooLarge);
  if (status !== 200) throw new Error(`the storage of fal.ai answered ${status} to a download`);
  async function* parts() {
    yield body;
  }
  return { body: parts(), contentType: typeByHead(body) ?? plainType(headers['content-type']) ?? contentType };
};
