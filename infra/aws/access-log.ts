/** The API's access log, the role that API Gateway writes it with, and its metric of internal errors. */
import { RemovalPolicy, Validations } from 'aws-cdk-lib';
import { AccessLogField, AccessLogFormat, CfnAccount, LogGroupLogDestination } from 'aws-cdk-lib/aws-apigateway';
import type { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { ManagedPolicy, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { FilterPattern, LogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { metricsNamespace } from './metrics.ts';
import type { Stage } from './stages.ts';

export class AccessLog extends Construct {
  /**
   * Logs the route's path instead of the request's, which can contain a secret, and no query string, which can contain
   * anything.
   */
  readonly format = AccessLogFormat.custom(
    JSON.stringify({
      requestId: AccessLogField.contextRequestId(),
      time: AccessLogField.contextRequestTime(),
      ip: AccessLogField.contextIdentitySourceIp(),
      method: AccessLogField.contextHttpMethod(),
      route: AccessLogField.contextResourcePath(),
      status: AccessLogField.contextStatus(),
      bytes: AccessLogField.contextResponseLength(),
      ms: AccessLogField.contextResponseLatency(),
      functionMs: AccessLogField.contextIntegrationLatency(),
      gatewayError: AccessLogField.contextErrorResponseType(),
      traceId: AccessLogField.contextXrayTraceId(),
    }),
  );
  readonly destination: LogGroupLogDestination;
  /** Counts responses with status 500. API Gateway's own metric includes the 502 and 503 that the contracts declare. */
  readonly serverErrors: Metric;

  constructor(scope: Construct, id: string, stage: Stage) {
    super(scope, id);
    const { isProduction, logRetentionDays } = stage;
    const removalPolicy = isProduction ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY;
    const logGroup = new LogGroup(this, 'Log', { retention: logRetentionDays, removalPolicy });
    this.destination = new LogGroupLogDestination(logGroup);
    const filter = new MetricFilter(this, 'ServerErrors', {
      logGroup,
      filterPattern: FilterPattern.stringValue('$.status', '=', '500'),
      metricNamespace: metricsNamespace(stage),
      metricName: 'ServerErrors',
    });
    this.serverErrors = filter.metric({ statistic: 'Sum' });
    this.#letApiGatewayWrite(stage);
  }

  /**
   * Sets the role with which API Gateway writes logs; it is per account, and so also writes the logs of other stages.
   */
  #letApiGatewayWrite({ emulatorUrl }: Stage): void {
    const policy = 'service-role/AmazonAPIGatewayPushToCloudWatchLogs';
    const role = new Role(this, 'CloudWatchRole', {
      assumedBy: new ServicePrincipal('apigateway.amazonaws.com'),
      managedPolicies: [ManagedPolicy.fromAwsManagedPolicyName(policy)],
    });
    Validations.of(role).acknowledge({
      id: `AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/${policy}]`,
      reason: 'API Gateway writes the logs of a whole account with this role, and AWS maintains its policy.',
    });
    const account = new CfnAccount(this, 'Account', { cloudWatchRoleArn: role.roleArn });
    const removalPolicy = emulatorUrl ? RemovalPolicy.DESTROY : RemovalPolicy.RETAIN;
    role.applyRemovalPolicy(removalPolicy);
    account.applyRemovalPolicy(removalPolicy);
  }
}
