/**
 * Publishes the dashboard's pages after everything else is deployed, so that no page calls an API that is older than
 * the page.
 */
import { Duration, Stack, type StackProps, Validations } from 'aws-cdk-lib';
import { Architecture, Code, LoggingFormat, Runtime } from 'aws-cdk-lib/aws-lambda';
import { TriggerFunction } from 'aws-cdk-lib/triggers';
import type { Construct } from 'constructs';
import type { Stage } from '../stages.ts';
import { bucketVariable } from './publish-site.ts';
import type { SiteStack } from './site-stack.ts';

export interface PagesStackProps extends StackProps {
  readonly stage: Stage;
  readonly site: SiteStack;
  /** The folder with the publishing function's package. */
  readonly directory: string;
}

const reasons = {
  'AwsSolutions-IAM4': 'The CDK’s own function that runs the publishing one during deployments only writes its log.',
  'AwsSolutions-L1': 'The CDK chooses the runtime of its own function that runs the publishing one.',
  'Serverless-LambdaDLQ': 'A deployment waits for it and fails with it.',
  'Serverless-LambdaTracing': 'It runs once for each deployment, which reports how it ended.',
  'Serverless-LambdaLatestVersion': 'The CDK chooses the runtime of its own function that runs the publishing one.',
  'Serverless-LambdaDefaultMemorySize': 'The CDK’s own function only calls the publishing one.',
};

export class PagesStack extends Stack {
  constructor(scope: Construct, id: string, { stage, site, directory, ...props }: PagesStackProps) {
    super(scope, id, props);
    new TriggerFunction(this, 'Publish', {
      description: `Publishes the dashboard of ${stage.name}`,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      code: Code.fromAsset(directory),
      handler: 'index.handler',
      memorySize: 512,
      timeout: Duration.minutes(2),
      environment: { [bucketVariable]: site.bucket.bucketName },
      role: site.publisher.role,
      logGroup: site.publisher.logGroup,
      loggingFormat: LoggingFormat.JSON,
    });
    Validations.of(this).acknowledge(...Object.entries(reasons).map(([rule, reason]) => ({ id: rule, reason })));
  }
}
