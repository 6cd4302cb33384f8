/** Stores secrets that the functions of a stage only read. */
import {
  CreateSecretCommand,
  PutSecretValueCommand,
  ResourceNotFoundException,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';

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
