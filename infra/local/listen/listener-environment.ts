/** What the webhook listener must know about the local service. */
import { localDataDir, readServiceFile } from '../service-file.ts';

/** `API_URL` of the service that runs on the data directory, unless it is set already or no service is running. */
export function listenerEnvironment(environment: Readonly<Record<string, string | undefined>>): { API_URL?: string } {
  const service = environment.API_URL ? undefined : readServiceFile(localDataDir(environment));
  return service ? { API_URL: service.url } : {};
}
