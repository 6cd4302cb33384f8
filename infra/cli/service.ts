/** Where the service is that commands are for: the local one that runs on the data directory. */
import { webhookQueue } from '../../shared/platform/queue.ts';
import { webhookSecretsFromFile } from '../../shared/platform/webhook-secrets.ts';
import { createContext, type With } from '../../shared/runtime/context.ts';
import { adoptEnvironment } from '../local/adopt-environment.ts';
import { localDataDir, readServiceFile, type ServiceFile } from '../local/service-file.ts';
import { refused } from './exit-error.ts';

/** What commands work with. */
export type Service = With<'queue' | 'webhookSecrets'>;

function localService(dataDir: string): ServiceFile | undefined {
  try {
    return readServiceFile(dataDir);
  } catch {
    // What the parser says would quote the file, which holds keys.
    throw refused(`${dataDir}/service.json can not be read: start the service again with "npm start".`);
  }
}

/** @throws {ExitError} when no service runs. */
export function connect(): Service {
  const dataDir = localDataDir(process.env);
  const service = localService(dataDir);
  if (!service) {
    throw refused(
      `No service runs on ${dataDir}: start it with "npm start", or name its data directory in LOCAL_DATA_DIR.`,
    );
  }
  // Standard output belongs to the command's result.
  adoptEnvironment({ ...service.environment, POWERTOOLS_LOG_LEVEL: 'SILENT' });
  const context = createContext(service.environment);
  return { ...context, queue: webhookQueue(context), webhookSecrets: webhookSecretsFromFile(context) };
}
