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

/** Chooses the requests to an API that are traced; X-Ray's own rule would trace every request of a quiet stage. */
export function sampleRequests(scope: Construct, { apiName, stageName }: { apiName: string; stageName: string }): void {
  new CfnSamplingRule(scope, 'TracedRequests', {
    samplingRule: {
      version: 1,
      ruleName: apiName,
      priority: 1000,
      fixedRate: tracedShare,
      reservoirSize: 0,
      serviceName: `${apiName}/${stageName}`,
      serviceType: 'AWS::ApiGateway::Stage',
      host: '*',
      httpMethod: '*',
      urlPath: '*',
      resourceArn: '*',
    },
  });
}
