/** `npm start`: the service on this machine, until it is told to stop. */
import { demoAccount, demoFile } from './demo-account.ts';
import { type Service, startService } from './host.ts';
import { serviceOptions } from './options.ts';

/** The terminal is for people: one line a request comes with POWERTOOLS_LOG_LEVEL=INFO. */
process.env.POWERTOOLS_LOG_LEVEL ??= 'ERROR';

const exitWith = (message: string): never => {
  process.stderr.write(`${message}\n`);
  process.exit(1);
};

/** Longer than anything that is under way may take to end. */
const stopMs = 10_000;

/** Ctrl-C comes twice, from the terminal and from npm: the second one must not cut the first one's work short. */
function stopOnSignals(service: Service): void {
  let stopping = false;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (stopping) return;
      stopping = true;
      setTimeout(() => exitWith('Something did not stop in time.'), stopMs).unref();
      service.close().then(
        () => process.exit(0),
        (error: Error) => exitWith(error.message),
      );
    });
  }
}

async function main(): Promise<void> {
  // Whatever is written is for the user who runs this alone, by the database's process too.
  process.umask(0o077);
  const options = serviceOptions(process.argv.slice(2), process.env);
  const service = await startService({ ...options, onDatabaseExit: exitWith });
  stopOnSignals(service);
  const { dataDir, inMemory } = options;
  const { token, webhookToken } = await demoAccount(service.context, dataDir).catch(async (error: unknown) => {
    await service.close();
    throw error;
  });
  process.stdout.write(`ready ${service.url}

  documentation   ${service.url}/docs
  demo account    1,000 credits to begin with, plan business, all scopes (${demoFile(dataDir)})
  token           ${token}
  webhook token   ${webhookToken}
  data            ${inMemory ? 'in memory, gone when this stops' : `${dataDir}/`}

Speak a sentence:

  curl -s ${service.url}/api/v1/generate/voice \\
    -H 'Authorization: Bearer ${token}' \\
    -H 'Content-Type: application/json' \\
    -d '{"text":"Olá! O seu vídeo está pronto.","voice":"sarah"}'

(or have a picture made: /api/v1/generate/image with -d '{"prompt":"Um farol ao amanhecer"}')
and follow it:

  curl -s '${service.url}/api/v1/tasks?limit=1' -H 'Authorization: Bearer ${token}'
`);
}

main().catch((error: Error) => exitWith(error.message));
