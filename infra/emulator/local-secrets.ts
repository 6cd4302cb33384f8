/**
 * Creates the secrets that an operator would create before the first deployment, with random values for local programs.
 */
import { randomBytes } from 'node:crypto';
import {
  CreateSecretCommand,
  DeleteSecretCommand,
  GetSecretValueCommand,
  ResourceNotFoundException,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';

const unlessMissing = (error: unknown): undefined => {
  if (error instanceof ResourceNotFoundException) return undefined;
  throw error;
};

/** The value of a secret; a missing one is created with the prefix and a random value. */
export async function localSecret(name: string, prefix = ''): Promise<string> {
  const client = new SecretsManagerClient();
  const found = await client.send(new GetSecretValueCommand({ SecretId: name })).catch(unlessMissing);
  if (found?.SecretString) return found.SecretString;
  const value = prefix + randomBytes(32).toString('hex');
  await client.send(new CreateSecretCommand({ Name: name, SecretString: value }));
  return value;
}

export async function deleteLocalSecret(name: string): Promise<void> {
  const deletion = new DeleteSecretCommand({ SecretId: name, ForceDeleteWithoutRecovery: true });
  await new SecretsManagerClient().send(deletion).catch(unlessMissing);
}
