/** `npm run webhooks`: the webhook listener of the TypeScript client, for the service that runs on this machine. */
import { listenerEnvironment } from './listener-environment.ts';

Object.assign(process.env, listenerEnvironment(process.env));
process.argv.splice(2, 0, 'webhooks');
await import('../../../client/cli/main.ts');
