/** The stage `local` of cdk.json, which is deployed to an emulator, and the environment that AWS tools need for it. */
import { describedStage } from '../aws/described-stage.ts';
import type { Stage } from '../aws/stages.ts';

export interface EmulatedStage extends Stage {
  /** The emulator's URL. */
  readonly emulatorUrl: string;
}

export function emulatedStage(): EmulatedStage {
  const stage = describedStage('local');
  if (!stage.emulatorUrl) throw new Error('cdk.json describes no stage local with an emulatorUrl');
  return { ...stage, emulatorUrl: stage.emulatorUrl };
}

/** Credentials that belong to no account, so that a misdirected request cannot reach a real one. */
export const emulatorEnvironment = ({ emulatorUrl }: EmulatedStage): Readonly<Record<string, string>> => ({
  AWS_ENDPOINT_URL: emulatorUrl,
  AWS_ACCESS_KEY_ID: 'test',
  AWS_SECRET_ACCESS_KEY: 'test',
  AWS_REGION: 'us-east-1',
  AWS_DEFAULT_REGION: 'us-east-1',
  AWS_EC2_METADATA_DISABLED: 'true',
});

/** Whether an emulator responds; MiniStack has the same health path as LocalStack. */
export async function isEmulatorReady({ emulatorUrl }: EmulatedStage): Promise<boolean> {
  try {
    const response = await fetch(`${emulatorUrl}/_localstack/health`, { signal: AbortSignal.timeout(2000) });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}

/** Removes the dashboard from a stage on LocalStack, which has no CloudFront. */
export async function withoutMissing(stage: EmulatedStage): Promise<EmulatedStage> {
  const response = await fetch(`${stage.emulatorUrl}/2020-05-31/distribution`);
  await response.body?.cancel();
  if (response.ok) return stage;
  const { dashboard: _missing, ...others } = stage;
  return others;
}

/** @throws {Error} if no emulator responds */
export async function requireEmulator(stage: EmulatedStage): Promise<void> {
  if (await isEmulatorReady(stage)) return;
  throw new Error(`No emulator responds at ${stage.emulatorUrl}: start one with "npm run emulator".`);
}

/** The folder for the emulator's files, in the working directory. */
export const emulatorDirectory = '.emulator';
