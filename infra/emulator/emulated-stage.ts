/** The stage `local` of cdk.json, which is deployed to an emulator, and how AWS tools are told of that emulator. */
import { describedStage } from '../aws/described-stage.ts';
import type { Stage } from '../aws/stages.ts';

export interface EmulatedStage extends Stage {
  /** Where the emulator is. */
  readonly emulatorUrl: string;
}

export function emulatedStage(): EmulatedStage {
  const stage = describedStage('local');
  if (!stage.emulatorUrl) throw new Error('cdk.json describes no stage local with an emulatorUrl');
  return { ...stage, emulatorUrl: stage.emulatorUrl };
}

/** Its credentials are those of no account: nothing that goes astray can reach one. */
export const emulatorEnvironment = ({ emulatorUrl }: EmulatedStage): Readonly<Record<string, string>> => ({
  AWS_ENDPOINT_URL: emulatorUrl,
  AWS_ACCESS_KEY_ID: 'test',
  AWS_SECRET_ACCESS_KEY: 'test',
  AWS_REGION: 'us-east-1',
  AWS_DEFAULT_REGION: 'us-east-1',
  AWS_EC2_METADATA_DISABLED: 'true',
});

/** MiniStack answers LocalStack's question too. */
export async function isEmulatorReady({ emulatorUrl }: EmulatedStage): Promise<boolean> {
  try {
    const response = await fetch(`${emulatorUrl}/_localstack/health`, { signal: AbortSignal.timeout(2000) });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}

/** @throws {Error} with a sentence when no emulator answers. */
export async function requireEmulator(stage: EmulatedStage): Promise<void> {
  if (await isEmulatorReady(stage)) return;
  throw new Error(`No emulator answers at ${stage.emulatorUrl}: start one with "npm run emulator".`);
}

/** Where what belongs to the emulator is kept, beside the code. */
export const emulatorDirectory = '.emulator';
