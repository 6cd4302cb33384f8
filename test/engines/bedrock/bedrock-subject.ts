/** The adapter with a fake to invoke, a storage that keeps and serves files, and jobs. */
import { inspect } from 'node:util';
import { type BedrockEngineAccess, bedrockEngine } from '../../../shared/engines/bedrock/bedrock-engine.ts';
import type { EngineFile, EngineJob } from '../../../shared/engines/engine.ts';
import { systemClock } from '../../../shared/platform/clock.ts';
import { bedrockRuntime, type ModelRuntime } from '../../../shared/platform/model-runtime.ts';
import { type ImageResponse, imageHost } from '../../support/image-host.ts';
import { core, open, startFake } from './fake-subject.ts';

/** Returns access to a stored file. */
const secret = 'X-Amz-Signature=secret-signature';

const storage = async () => {
  const responses: Record<string, ImageResponse> = {};
  const host = open(await imageHost(responses));
  const kept: EngineFile[] = [];
  const serve = (name: string, response: ImageResponse) => {
    responses[name] = response;
    return `${host.url(name)}?${secret}`;
  };
  const hold = (name: string, bytes: Uint8Array) =>
    serve(name, (response) => response.writeHead(200, { 'content-type': 'image/png' }).end(bytes));
  const keep = async (file: EngineFile) => hold(`kept-${kept.push(file)}`, file.bytes);
  return { kept, serve, hold, keep };
};

const job = (changes: Partial<EngineJob> & Pick<EngineJob, 'keep'>): EngineJob => ({
  taskId: 'task-1',
  taskType: 'image',
  model: core,
  input: { prompt: 'a lighthouse' },
  callbackUrl: 'http://127.0.0.1:1/never?task=secret-address',
  ...changes,
});

export const onFake = async (access: Partial<BedrockEngineAccess> = {}) => {
  const fake = await startFake();
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_BEDROCK_RUNTIME: fake.url,
    AWS_REGION: 'us-west-2',
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'secret-access-key',
  });
  const engine = bedrockEngine({ runtime: bedrockRuntime(), clock: systemClock, ...access });
  const stored = await storage();
  const submit = (changes: Partial<EngineJob> = {}) => engine.submit(job({ keep: stored.keep, ...changes }));
  return { fake, engine, submit, ...stored };
};

/** An engine whose models respond as a test specifies. */
export const onRuntime = async (
  response: (...given: Parameters<ModelRuntime['invokeModel']>) => unknown,
  access: Partial<BedrockEngineAccess> = {},
) => {
  const invocations: Parameters<ModelRuntime['invokeModel']>[] = [];
  const runtime: Pick<ModelRuntime, 'invokeModel'> = {
    async invokeModel(...given) {
      invocations.push(given);
      return response(...given);
    },
  };
  const engine = bedrockEngine({ runtime, clock: systemClock, ...access });
  const stored = await storage();
  const submit = (changes: Partial<EngineJob> = {}) => engine.submit(job({ keep: stored.keep, ...changes }));
  return { invocations, engine, submit, ...stored };
};

/** The thrown error as text with all its properties; a result is not an error. */
export const faultOf = async (act: Promise<unknown>): Promise<string> => {
  const error = await act.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof Error)) throw new Error('no Error was thrown');
  return inspect(error, { depth: 10, showHidden: true });
};
