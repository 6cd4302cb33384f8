/** Bundles of libraries alone, as they come: what the functions' own bundles are compared with on any machine. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const documentClient = `
  import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
  import { DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
  const table = DynamoDBDocumentClient.from(new DynamoDBClient({}));
  const read = () => table.send(new GetCommand({ TableName: 'table', Key: { id: 'id' } }));`;

export const documentClientName = 'the document client alone';
export const usualStackName = 'the usual stack alone';

const programs: Readonly<Record<string, string>> = {
  [documentClientName]: `${documentClient}
    export const handler = async () => ({ statusCode: 200, read: await read() });`,
  [usualStackName]: `${documentClient}
    import middy from '@middy/core';
    import { Logger } from '@aws-lambda-powertools/logger';
    import { injectLambdaContext } from '@aws-lambda-powertools/logger/middleware';
    import { Metrics } from '@aws-lambda-powertools/metrics';
    import { logMetrics } from '@aws-lambda-powertools/metrics/middleware';
    import * as z from 'zod';
    const logger = new Logger({ serviceName: 'reference' });
    const metrics = new Metrics({ namespace: 'reference', serviceName: 'reference' });
    const Request = z.object({ name: z.string().min(1), count: z.number().int().optional() });
    export const handler = middy(async (event) => ({ statusCode: 200, event: Request.parse(event), read: await read() }))
      .use(injectLambdaContext(logger))
      .use(logMetrics(metrics));`,
};

const project = fileURLToPath(new URL('../', import.meta.url));

/** The paths of the bundles, by name. */
export async function referenceBundles(directory: string): Promise<ReadonlyMap<string, string>> {
  const bundled = Object.entries(programs).map(async ([name, contents], index) => {
    const outfile = join(directory, `reference-${index}`, 'index.mjs');
    await build({
      stdin: { contents, resolveDir: project },
      outfile,
      bundle: true,
      format: 'esm',
      platform: 'node',
      target: 'node24',
      minify: true,
      // The SDK's packages that are not modules require Node's built-in ones.
      banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
    });
    return [name, outfile] as const;
  });
  return new Map(await Promise.all(bundled));
}
