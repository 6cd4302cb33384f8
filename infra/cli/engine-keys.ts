/** Checks whether the keys of a service's engines exist and are accepted by their providers. */
import {
  DescribeSecretCommand,
  ResourceNotFoundException,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { type EngineName, type EngineNameWithKey, engineNamesWithKeys } from '../../shared/engines/engine-names.ts';
import { engineSettings } from '../../shared/engines/engine-settings.ts';
import { secretsManager } from '../../shared/platform/secrets.ts';
import type { Settings } from '../../shared/platform/settings.ts';
import type { Service } from './service.ts';

export type KeyState = Readonly<{
  /**
   * The state of a key: `present` if the provider documents no harmless way to check it, or the operator may not read
   * it.
   */
  state: 'accepted' | 'present' | 'missing' | 'rejected' | 'unknown' | 'not needed';
  /** What the operator should do about the key. */
  hint?: string;
}>;

type KeyedService = Pick<Service, 'settings' | 'clock' | 'deployment'>;

interface Probe {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Whether a response means that the key was rejected, if its status does not. */
  readonly isRejected?: (body: string) => boolean;
  /** Whether a response means that the key is valid but lacks the permission for this request. */
  readonly isLimited?: (body: string) => boolean;
}

const patienceMs = 10_000;
const noSuchId = '00000000-0000-0000-0000-000000000000';

/** Requests that create nothing and cost nothing; a rejected key gets 401 or 403. */
const probes: Readonly<Partial<Record<EngineNameWithKey, (settings: Settings, key: string) => Probe>>> = {
  offline: ({ offlineEngineUrl }, key) => ({
    url: `${offlineEngineUrl}/v1/jobs/${noSuchId}`,
    headers: { Authorization: `Bearer ${key}` },
  }),
  // Requests the status of a request that does not exist.
  fal: ({ falQueueUrl }, key) => ({
    url: `${falQueueUrl}/fal-ai/flux/requests/${noSuchId}/status`,
    headers: { Authorization: `Key ${key}` },
  }),
  klap: ({ klapUrl }, key) => ({ url: `${klapUrl}/tasks/${noSuchId}`, headers: { Authorization: `Bearer ${key}` } }),
  // Requests a project that does not exist; errors are indicated by a code in the body.
  vizard: ({ vizardUrl }, key) => ({
    url: `${vizardUrl}/project/query/1`,
    headers: { VIZARDAI_API_KEY: key },
    isRejected: (body) => /"code"\s*:\s*4001\b/.test(body),
  }),
  elevenlabs: ({ elevenLabsUrl }, key) => ({
    url: `${elevenLabsUrl}/v1/user`,
    headers: { 'xi-api-key': key },
    isLimited: (body) => body.includes('"missing_permissions"'),
  }),
};

const setKeyHint = (engine: EngineNameWithKey, { deployment }: KeyedService): string =>
  deployment
    ? `Store a valid one with "engine set-key --engine ${engine} --stage ${deployment.stage}".`
    : 'Start the service again.';

async function send(
  { url, headers, isLimited, isRejected }: Probe,
  engine: EngineNameWithKey,
  service: KeyedService,
): Promise<KeyState> {
  let response: Response;
  try {
    response = await fetch(url, { headers, redirect: 'error', signal: AbortSignal.timeout(patienceMs) });
  } catch {
    // Replaces the original error, which would quote the key.
    return { state: 'unknown', hint: `${new URL(url).host} does not respond: try again.` };
  }
  const { status } = response;
  const body = await response.text().catch(() => '');
  if (isRejected?.(body) || ((status === 401 || status === 403) && !isLimited?.(body))) {
    return { state: 'rejected', hint: setKeyHint(engine, service) };
  }
  if (status < 500 && status !== 429) return { state: 'accepted' };
  return { state: 'unknown', hint: `${new URL(url).host} responds with ${status}: try again.` };
}

/** Checks only that the secret exists, because operators may not be allowed to read its value. */
async function checkPresence(SecretId: string, missing: KeyState): Promise<KeyState> {
  const client = new SecretsManagerClient();
  try {
    const { DeletedDate } = await client.send(new DescribeSecretCommand({ SecretId }));
    return DeletedDate
      ? { state: 'missing', hint: 'Its secret is scheduled for deletion: restore it.' }
      : { state: 'present' };
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return missing;
    return { state: 'unknown', hint: `Its secret cannot be read: ${(error as Error).name}.` };
  } finally {
    client.destroy();
  }
}

async function checkKey(engine: EngineNameWithKey, service: KeyedService): Promise<KeyState> {
  const { settings } = service;
  const setting = settings[engineSettings[engine].key];
  const key = await secretsManager(service)
    .read(setting)
    .catch(() => undefined);
  if (key === undefined) return checkPresence(setting, { state: 'missing', hint: setKeyHint(engine, service) });
  const probeOf = probes[engine];
  return probeOf ? send(probeOf(settings, key), engine, service) : { state: 'present' };
}

const withKeys: readonly EngineName[] = engineNamesWithKeys;
const hasKey = (engine: EngineName): engine is EngineNameWithKey => withKeys.includes(engine);

export const checkEngine = async (engine: EngineName, service: KeyedService): Promise<KeyState> =>
  hasKey(engine) ? checkKey(engine, service) : { state: 'not needed' };
