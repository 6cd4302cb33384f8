/** Stores and reads secrets that the functions of a stage only read. */
import {
  CreateSecretCommand,
  DescribeSecretCommand,
  GetSecretValueCommand,
  PutSecretValueCommand,
  ResourceNotFoundException,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';

export async function isSecretStored(name: string): Promise<boolean> {
  const client = new SecretsManagerClient();
  try {
    await client.send(new DescribeSecretCommand({ SecretId: name }));
    return true;
  } catch (error) {
    if (!(error instanceof ResourceNotFoundException)) throw error;
    return false;
  } finally {
    client.destroy();
  }
}

/** Reads a stored value. */
export async function readSecret(name: string): Promise<string> {
  const client = new SecretsManagerClient();
  const stored = await client.send(new GetSecretValueCommand({ SecretId: name })).finally(() => client.destroy());
  return stored.SecretString ?? '';
}

/** Stores a value. The first one creates the secret. */
export async function storeSecret(name: string, value: string): Promise<'new' | 'replaced'> {
  const client = new SecretsManagerClient();
  try {
    await client.send(new PutSecretValueCommand({ SecretId: name, SecretString: value }));
    return 'replaced';
  } catch (error) {
    if (!(error instanceof ResourceNotFoundException)) throw error;
    await client.send(new CreateSecretCommand({ Name: name, SecretString: value }));
    return 'new';
  } finally {
    client.destroy();
  }
}
