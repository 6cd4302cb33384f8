/** Stores secrets that the functions of a stage only read. */
import {
  CreateSecretCommand,
  DescribeSecretCommand,
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
