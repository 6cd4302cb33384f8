/** The REST API: the routes of the contracts, each to its function's live version, and nothing else. */
import { RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import {
  AccessLogField,
  AccessLogFormat,
  AuthorizationType,
  AwsIntegration,
  EndpointType,
  LogGroupLogDestination,
  MethodLoggingLevel,
  RestApi,
  SecurityPolicy,
} from 'aws-cdk-lib/aws-apigateway';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { Route } from '../../shared/contracts/hosting.ts';
import { gatewayResponses } from './gateway-responses.ts';
import type { Stage } from './stages.ts';

const stageName = 'live';

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
  readonly #api: RestApi;
  readonly #invoker: Role;

  constructor(scope: Construct, id: string, stage: Stage) {
    super(scope, id);
    this.#api = new RestApi(this, 'RestApi', {
      restApiName: `generation-service-${stage.name}`,
      endpointTypes: [EndpointType.REGIONAL],
      disableExecuteApiEndpoint: stage.domain !== undefined,
      cloudWatchRole: true,
      deployOptions: {
        stageName,
        throttlingRateLimit: requestsPerSecond,
        throttlingBurstLimit: requestsAtOnce,
        accessLogDestination: new LogGroupLogDestination(this.#accessLog(stage)),
        accessLogFormat,
        loggingLevel: MethodLoggingLevel.OFF,
      },
    });
    // An output that would tell the address that a stage with a domain is not reached at.
    this.#api.node.tryRemoveChild('Endpoint');
    for (const [name, response] of Object.entries(gatewayResponses)) this.#api.addGatewayResponse(name, response);
    this.#invoker = new Role(this, 'Invoker', { assumedBy: new ServicePrincipal('apigateway.amazonaws.com') });
    this.#api.latestDeployment?.node.addDependency(this.#invoker);
    this.url = this.#address(stage);
    this.#acknowledge(stage);
  }

  get id(): string {
    return this.#api.restApiId;
  }

  /** Under which its metrics are kept. */
  get name(): string {
    return this.#api.restApiName;
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

  /** Made of the API's id alone: functions that need it must not wait for the routes that lead to others. */
  #address({ domain, emulatorUrl }: Stage): string {
    if (emulatorUrl) return `${emulatorUrl}/_aws/execute-api/${this.id}/${stageName}`;
    const { region, urlSuffix } = Stack.of(this);
    if (!domain) return `https://${this.id}.execute-api.${region}.${urlSuffix}/${stageName}`;
    this.#api.addDomainName('Domain', {
      domainName: domain.name,
      certificate: Certificate.fromCertificateArn(this, 'Certificate', domain.certificateArn),
      endpointType: EndpointType.REGIONAL,
      securityPolicy: SecurityPolicy.TLS_1_2,
    });
    return `https://${domain.name}`;
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
