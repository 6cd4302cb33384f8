/** The REST API: the routes of the contracts, each to its function's live version, and nothing else. */
import { RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import {
  AccessLogField,
  AccessLogFormat,
  AuthorizationType,
  AwsIntegration,
  type DomainName,
  EndpointType,
  LogGroupLogDestination,
  MethodLoggingLevel,
  RestApi,
  SecurityPolicy,
} from 'aws-cdk-lib/aws-apigateway';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import type { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { FilterPattern, LogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { Route } from '../hosting.ts';
import { gatewayResponses } from './gateway-responses.ts';
import { metricsNamespace } from './metrics.ts';
import type { Stage } from './stages.ts';

/** Comes before every path, at the API's own address. */
export const stageName = 'live';

/** All clients together; what a token may do is counted by the service itself. */
const requestsPerSecond = 1000;
const requestsAtOnce = 2000;

/** The route's path, not the request's: that one can hold a secret, and a query string may hold anything. */
const accessLogFormat = AccessLogFormat.custom(
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
  }),
);

const reasons = {
  'AwsSolutions-APIG2': 'Each function parses its request by its contract, whose refusals name every problem.',
  'AwsSolutions-APIG4': 'Functions authenticate by themselves: one write checks the token and counts the request.',
  'AwsSolutions-COG4': 'Clients are back ends with API tokens, not people of a user pool.',
  'AwsSolutions-APIG6': 'Execution logs hold bodies and tokens; the access log and the functions’ own lines do not.',
  'Serverless-APIGWXrayEnabled':
    'A request id leads through access log, functions and tasks; traces would cost more than they tell.',
};

export class Api extends Construct {
  /** Without a trailing slash. */
  readonly url: string;
  /** Requests that were answered with 500. The API's own count has the 502 and 503 in it that the contracts promise. */
  readonly serverErrors: Metric;
  /** What the DNS record of a stage with a domain has to lead to. */
  readonly domain: DomainName | undefined;
  readonly #api: RestApi;
  readonly #invoker: Role;

  constructor(scope: Construct, id: string, stage: Stage) {
    super(scope, id);
    const accessLog = this.#accessLog(stage);
    this.serverErrors = this.#countErrors(stage, accessLog);
    this.#api = new RestApi(this, 'RestApi', {
      restApiName: `generation-service-${stage.name}`,
      endpointTypes: [EndpointType.REGIONAL],
      disableExecuteApiEndpoint: stage.domain !== undefined,
      cloudWatchRole: true,
      // It is the whole account's: the access logs of other stages are written by it too.
      cloudWatchRoleRemovalPolicy: stage.emulatorUrl ? RemovalPolicy.DESTROY : RemovalPolicy.RETAIN,
      deployOptions: {
        stageName,
        throttlingRateLimit: requestsPerSecond,
        throttlingBurstLimit: requestsAtOnce,
        accessLogDestination: new LogGroupLogDestination(accessLog),
        accessLogFormat,
        loggingLevel: MethodLoggingLevel.OFF,
      },
    });
    // An output that would tell the address that a stage with a domain is not reached at.
    this.#api.node.tryRemoveChild('Endpoint');
    for (const [name, response] of Object.entries(gatewayResponses)) this.#api.addGatewayResponse(name, response);
    this.#invoker = new Role(this, 'Invoker', { assumedBy: new ServicePrincipal('apigateway.amazonaws.com') });
    this.#api.latestDeployment?.node.addDependency(this.#invoker);
    this.domain = this.#named(stage);
    this.url = this.#address(stage);
    this.#acknowledge(stage);
  }

  get id(): string {
    return this.#api.restApiId;
  }

  /** All answers from 500 on. */
  get answersFrom500(): Metric {
    return this.#api.metricServerError();
  }

  get stageArn(): string {
    return this.#api.deploymentStage.stageArn;
  }

  /** One role may call them all: a permission on each function would be a resource more for every route. */
  route({ method, path }: Route, live: IFunction): void {
    this.#invoker.addToPolicy(
      new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: [live.functionArn] }),
    );
    const integration = new AwsIntegration({
      proxy: true,
      service: 'lambda',
      path: `2015-03-31/functions/${live.functionArn}/invocations`,
      options: { credentialsRole: this.#invoker },
    });
    const options = { authorizationType: AuthorizationType.NONE };
    this.#api.root.resourceForPath(path).addMethod(method, integration, options);
  }

  #accessLog({ isProduction, logRetentionDays }: Stage): LogGroup {
    const removalPolicy = isProduction ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY;
    return new LogGroup(this, 'AccessLog', { retention: logRetentionDays, removalPolicy });
  }

  #countErrors(stage: Stage, logGroup: LogGroup): Metric {
    const filter = new MetricFilter(this, 'ServerErrors', {
      logGroup,
      filterPattern: FilterPattern.stringValue('$.status', '=', '500'),
      metricNamespace: metricsNamespace(stage),
      metricName: 'ServerErrors',
    });
    return filter.metric({ statistic: 'Sum' });
  }

  #named({ domain }: Stage): DomainName | undefined {
    if (!domain) return undefined;
    return this.#api.addDomainName('Domain', {
      domainName: domain.name,
      certificate: Certificate.fromCertificateArn(this, 'Certificate', domain.certificateArn),
      endpointType: EndpointType.REGIONAL,
      securityPolicy: SecurityPolicy.TLS_1_2,
    });
  }

  /** Made of the API's id alone: functions that need it must not wait for the routes that lead to others. */
  #address({ domain, emulatorUrl }: Stage): string {
    if (emulatorUrl) return `${emulatorUrl}/_aws/execute-api/${this.id}/${stageName}`;
    if (domain) return `https://${domain.name}`;
    const { region, urlSuffix } = Stack.of(this);
    return `https://${this.id}.execute-api.${region}.${urlSuffix}/${stageName}`;
  }

  #acknowledge({ firewall }: Stage): void {
    const unprotected = {
      'AwsSolutions-APIG3':
        'Only production pays for a firewall; throttling and the limit of each token hold everywhere.',
    };
    const all = Object.entries({ ...reasons, ...(!firewall && unprotected) });
    Validations.of(this).acknowledge(...all.map(([rule, reason]) => ({ id: rule, reason })));
    const policy = 'service-role/AmazonAPIGatewayPushToCloudWatchLogs';
    Validations.of(this.#api).acknowledge({
      id: `AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/${policy}]`,
      reason: 'API Gateway writes the logs of a whole account by this role, and AWS keeps what that takes.',
    });
  }
}
