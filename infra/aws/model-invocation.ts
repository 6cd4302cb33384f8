/**
 * Permission to invoke Bedrock models: Stability's for images, whichever the catalog selects, and Amazon's for texts.
 */
import { Aws } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { FunctionGrants } from './function-grants.ts';
import type { Permission } from './permission.ts';
import type { Stage } from './stages.ts';

type Use = NonNullable<FunctionGrants['models']>[number];

const names: Readonly<Record<Use, string>> = { generate: 'stability.*', write: 'amazon.nova-*' };

/**
 * The ARNs of inference profiles and models. A profile belongs to the account and routes to several regions, where the
 * models must be allowed too.
 */
const resourcesIn = (models: string, partition: string, region: string, account: string): string[] => [
  `arn:${partition}:bedrock:*::foundation-model/${models}`,
  `arn:${partition}:bedrock:${region}:${account}:inference-profile/us.${models}`,
];

const reason = 'Which model makes something is chosen without a deploy, and its profile chooses the region.';

/** The permission to invoke Bedrock models; empty on stages without that engine. */
export function modelInvocation({ engines: { bedrock } }: Stage, use: Use): Permission {
  if (!bedrock) return {};
  const { region } = bedrock;
  const resources = resourcesIn(names[use], Aws.PARTITION, region, Aws.ACCOUNT_ID);
  // cdk-nag writes deploy-time values in angle brackets.
  const described = resourcesIn(names[use], '<AWS::Partition>', region, '<AWS::AccountId>');
  return {
    statements: [new PolicyStatement({ actions: ['bedrock:InvokeModel'], resources })],
    acknowledgements: described.map((resource) => ({ id: `AwsSolutions-IAM5[Resource::${resource}]`, reason })),
    settings: { bedrockRegion: region },
  };
}
