/**
 * Traces of AWS X-Ray. Functions have no code for them: the gateway decides which requests are traced, Lambda records
 * them, and the AWS SDK passes the decision on to the state machines that a function starts.
 */
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { CfnSamplingRule } from 'aws-cdk-lib/aws-xray';
import type { Construct } from 'constructs';
import type { Permission } from './permission.ts';
import type { Stage } from './stages.ts';

/** One request in twenty is traced: each trace costs as much as 1.4 requests to the gateway. */
const tracedShare = 0.05;

export const isTraced = ({ emulatorUrl, traces }: Stage): boolean => traces === 'sampled' && !emulatorUrl;

/** The same reason for each of cdk-nag's rules about stages that are not traced. */
export const untraced = (rules: readonly string[]) =>
  rules.map((id) => ({ id, reason: 'The stage is set to record no traces: `"traces": "off"`, or an emulator.' }));

const reason = 'X-Ray has no resources for these actions.';

interface SampledApi {
  readonly stage: Stage;
  readonly apiName: string;
  readonly stageName: string;
}

/** Permission to record traces. */
export const recordingTraces = (stage: Stage): Permission =>
  isTraced(stage)
    ? {
        statements: [
          new PolicyStatement({ actions: ['xray:PutTraceSegments', 'xray:PutTelemetryRecords'], resources: ['*'] }),
        ],
        acknowledgements: ['AwsSolutions-IAM5[Resource::*]', 'Serverless-LambdaStarPermissions'].map((id) => ({
          id,
          reason,
        })),
      }
    : {};

const any = { host: '*', httpMethod: '*', resourceArn: '*' };

/**
 * Chooses the requests to an API that are traced: a share of the calls by back ends. X-Ray's own rule would trace every
 * request of a quiet stage. A trace contains the whole URL, and those of log-ins, callbacks and webhooks contain secrets.
 */
export function sampleRequests(scope: Construct, { apiName, stageName, stage }: SampledApi): void {
  const service = { version: 1, serviceName: `${apiName}/${stageName}`, serviceType: 'AWS::ApiGateway::Stage', ...any };
  const rules = {
    // A name has at most 32 characters.
    CallsTraced: { ruleName: `gs-${stage.name}-calls`, urlPath: '*/api/v1/*', fixedRate: tracedShare, priority: 1000 },
    OthersUntraced: { ruleName: `gs-${stage.name}-others`, urlPath: '*', fixedRate: 0, priority: 1001 },
  };
  for (const [id, rule] of Object.entries(rules)) {
    new CfnSamplingRule(scope, id, { samplingRule: { ...service, ...rule, reservoirSize: 0 } });
  }
}
