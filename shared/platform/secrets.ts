/** Secret settings: on AWS, the environment contains only their ARNs, and Secrets Manager their values. */
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type { Clock } from './clock.ts';
import { mediumTimeoutClient } from './sdk-client.ts';
import type { Settings } from './settings.ts';

export interface Secrets {
  /** The value of a setting: that of the secret if the setting is an ARN, otherwise the setting itself. */
  read(setting: string): Promise<string>;
}

/** The longest time until a changed secret takes effect everywhere. */
const staleAfterMs = 5 * 60_000;

interface Known {
  readonly value: string;
  readonly readAt: number;
}

interface Source {
  readonly clock: Clock;
  readonly settings: Pick<Settings, 'aws'>;
}

export function secretsManager({ clock, settings }: Source): Secrets {
  const client = new SecretsManagerClient({ ...mediumTimeoutClient, ...settings.aws('SECRETS_MANAGER') });
  const known = new Map<string, Known>();

  const ask = async (arn: string): Promise<string> => {
    const { SecretString } = await client.send(new GetSecretValueCommand({ SecretId: arn }));
    if (!SecretString) throw new Error('a secret contains no text');
    known.set(arn, { value: SecretString, readAt: clock.now() });
    return SecretString;
  };

  return {
    async read(setting) {
      if (!setting.startsWith('arn:')) return setting;
      const last = known.get(setting);
      if (!last) return ask(setting);
      if (clock.now() - last.readAt < staleAfterMs) return last.value;
      // While Secrets Manager does not respond, the last value stays in use.
      return ask(setting).catch(() => last.value);
    },
  };
}
