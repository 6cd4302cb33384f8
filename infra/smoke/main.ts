/** `npm run smoke`: tries the stage at API_URL with the test token TEST_TOKEN; exits with 1 if a check fails. */
import { client } from '../../client/client.ts';
import { smoke } from './smoke.ts';

async function main({ API_URL: baseUrl, TEST_TOKEN: token }: NodeJS.ProcessEnv): Promise<boolean> {
  if (!baseUrl || !token) throw new Error('Set API_URL to the URL of the API, and TEST_TOKEN to a test token.');
  const write = (line: string) => void process.stdout.write(`${line}\n`);
  return await smoke(client({ baseUrl, token }), write, fetch);
}

async function exitCode(): Promise<number> {
  try {
    return (await main(process.env)) ? 0 : 1;
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    return 1;
  }
}

process.exitCode = await exitCode();
