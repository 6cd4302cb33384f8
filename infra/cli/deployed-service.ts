/** Reads the locations of a deployed stage's resources from its stack's outputs. */
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { settingVariables } from '../../shared/platform/settings.ts';
import { type KeyName, keyOutputOf } from '../key-names.ts';

type Outputs = Readonly<Record<string, string>>;

export interface Deployment {
  readonly stage: string;
  /** The stack's outputs for operators, by the names in infra/aws. */
  readonly outputs: Outputs;
}

/** The stack, defined in infra/aws, whose outputs operators need. */
const stackOf = (stage: string): string => `GenerationService-${stage}-Service`;

const capitalized = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

/** The name of the secret with a provider's key; undefined if the stage does not have the provider. */
export const keySecretOf = (outputs: Outputs, name: KeyName): string | undefined => outputs[keyOutputOf(name)];

/**
 * The environment for stores and ports. Outputs are named after their settings: `TableName` is `tableName`. The content
 * key is included even for a stage that does not mark results.
 */
export const environmentOf = ({ outputs }: Deployment): Record<string, string> => ({
  ...Object.fromEntries(
    Object.entries(settingVariables).flatMap(([setting, variable]) => {
      const value = outputs[capitalized(setting)];
      return value === undefined ? [] : [[variable, value]];
    }),
  ),
  ...(outputs.ContentCredentialsOff !== undefined && { [settingVariables.contentSigningKey]: 'none' }),
});

/** CloudFormation reports a missing stack as a ValidationError with this text. */
const isMissing = (error: unknown): boolean =>
  error instanceof Error && error.name === 'ValidationError' && /does not exist/.test(error.message);

/** Finds a stage in the AWS account and region of the environment; undefined if it is not deployed there. */
export async function findDeployment(stage: string): Promise<Deployment | undefined> {
  const client = new CloudFormationClient();
  try {
    const { Stacks = [] } = await client.send(new DescribeStacksCommand({ StackName: stackOf(stage) }));
    const outputs = Stacks[0]?.Outputs ?? [];
    const entries = outputs.map(({ OutputKey = '', OutputValue = '' }) => [OutputKey, OutputValue]);
    return { stage, outputs: Object.fromEntries(entries) };
  } catch (error) {
    if (!isMissing(error)) throw error;
    return undefined;
  } finally {
    client.destroy();
  }
}
