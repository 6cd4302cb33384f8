/** The REST API: one route per operation of the contracts, each to its function's live version. */
import { Validations } from 'aws-cdk-lib';
import {
  Stage as ApiStage,
  AuthorizationType,
  AwsIntegration,
  BasePathMapping,
  Deployment,
  GatewayResponse,
  type IRestApi,
  MethodLoggingLevel,
  RestApi,
} from 'aws-cdk-lib/aws-apigateway';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { type FunctionName, type Route, routes } from '../hosting.ts';
import { stageName } from './api-address.ts';
import type { BaseStack } from './base-stack.ts';
import { gatewayResponses } from './gateway-responses.ts';
import type { Stage } from './stages.ts';
import { isTraced, sampleRequests, untraced } from './traces.ts';

/** The rate limit for all clients together; the service itself limits each token. */
const requestsPerSecond = 1000;
const requestsAtOnce = 2000;

const reasons = {
  'AwsSolutions-APIG4': 'Functions authenticate by themselves: one write checks the token and counts the request.',
  'AwsSolutions-COG4': 'Clients are back ends with API tokens, not users of a user pool.',
  'AwsSolutions-APIG6': 'Execution logs contain bodies and tokens; the access log and the functions’ own lines do not.',
};

export interface ApiProps {
  readonly stage: Stage;
  readonly base: BaseStack;
  /** The live version of a function. */
  readonly live: (name: FunctionName) => IFunction;
}

export class Api extends Construct {
  readonly stageArn: string;
  readonly #api: IRestApi;
  readonly #invoker: Role;
  readonly #deployment: Deployment;

  constructor(scope: Construct, id: string, { stage, base, live }: ApiProps) {
    super(scope, id);
    const { id: restApiId, rootResourceId, domain } = base.address;
    this.#api = RestApi.fromRestApiAttributes(this, 'RestApi', { restApiId, rootResourceId });
    this.#invoker = new Role(this, 'Invoker', { assumedBy: new ServicePrincipal('apigateway.amazonaws.com') });
    this.#deployment = new Deployment(this, 'Deployment', { api: this.#api });
    for (const [name, response] of Object.entries(gatewayResponses)) {
      this.#deploy(new GatewayResponse(this, name, { restApi: this.#api, ...response }), response);
    }
    for (const route of routes) this.#route(route, live(route.functionName));
    this.#deployment.node.addDependency(this.#invoker);
    const deployed = this.#publish(base, stage);
    this.stageArn = deployed.stageArn;
    if (domain) new BasePathMapping(this, 'Domain', { domainName: domain, restApi: this.#api, stage: deployed });
    this.#acknowledge(stage);
  }

  /** One role may invoke all functions, because a permission on each would be an additional resource per route. */
  #route(route: Route, live: IFunction): void {
    this.#invoker.addToPolicy(
      new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: [live.functionArn] }),
    );
    const target = { proxy: true, service: 'lambda' };
    const integration = new AwsIntegration({
      ...target,
      path: `2015-03-31/functions/${live.functionArn}/invocations`,
      options: { credentialsRole: this.#invoker },
    });
    const options = { authorizationType: AuthorizationType.NONE };
    const method = this.#api.root.resourceForPath(route.path).addMethod(route.method, integration, options);
    this.#deploy(method, { ...route, ...target, ...options, stack: live.stack.stackName });
  }

  /**
   * Creates a deployment. API Gateway serves only what a deployment captured, and CloudFormation creates a new one only
   * for a new logical id.
   */
  #deploy(part: Construct, definition: object): void {
    this.#deployment.node.addDependency(part);
    this.#deployment.addToLogicalId({ [part.node.path]: definition });
  }

  #publish({ accessLog, address }: BaseStack, stage: Stage): ApiStage {
    if (isTraced(stage)) sampleRequests(this, { stage, apiName: address.name, stageName });
    return new ApiStage(this, 'Stage', {
      deployment: this.#deployment,
      stageName,
      throttlingRateLimit: requestsPerSecond,
      throttlingBurstLimit: requestsAtOnce,
      accessLogDestination: accessLog.destination,
      accessLogFormat: accessLog.format,
      loggingLevel: MethodLoggingLevel.OFF,
      tracingEnabled: isTraced(stage),
    });
  }

  #acknowledge(stage: Stage): void {
    const unprotected = {
      'AwsSolutions-APIG3':
        'Only production pays for a firewall; throttling and the limit of each token hold everywhere.',
    };
    const all = Object.entries({ ...reasons, ...(!stage.firewall && unprotected) });
    Validations.of(this).acknowledge(...all.map(([rule, reason]) => ({ id: rule, reason })));
    if (!isTraced(stage)) Validations.of(this).acknowledge(...untraced(['Serverless-APIGWXrayEnabled']));
  }
}
