/**
 * The address of the API: an empty REST API and its domain. It comes first because functions need its id before routes
 * can refer to functions.
 */
import { Aws, Stack, Validations } from 'aws-cdk-lib';
import { CfnRestApi, DomainName, EndpointType, SecurityPolicy } from 'aws-cdk-lib/aws-apigateway';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import type { Stage } from './stages.ts';

/** The path prefix at the API's own address. */
export const stageName = 'live';

export class ApiAddress extends Construct {
  readonly id: string;
  readonly name: string;
  readonly rootResourceId: string;
  /** The base URL of the API, without a trailing slash. */
  readonly url: string;
  /** The host name and path prefix for proxies that forward requests to the API. */
  readonly host: string;
  readonly path: string;
  /** The domain to which the DNS record of a stage must point, if it has one. */
  readonly domain: DomainName | undefined;
  /** Counts all responses with status 500 and above. */
  readonly responsesFrom500: Metric;

  constructor(scope: Construct, id: string, stage: Stage) {
    super(scope, id);
    const name = `generation-service-${stage.name}`;
    const api = new CfnRestApi(this, 'RestApi', {
      name,
      // Media types that API Gateway treats as binary: all, because packages of clients are binary, and it decides by
      // the request's `Accept`, which can be anything.
      binaryMediaTypes: ['*/*'],
      endpointConfiguration: { types: [EndpointType.REGIONAL] },
      disableExecuteApiEndpoint: stage.domain !== undefined,
    });
    Validations.of(api).acknowledge({
      id: 'AwsSolutions-APIG2',
      reason: 'Each function validates its request against its contract and names every problem.',
    });
    this.id = api.ref;
    this.name = name;
    this.rootResourceId = api.attrRootResourceId;
    this.domain = this.#named(stage);
    this.host = stage.domain?.name ?? `${this.id}.execute-api.${Stack.of(this).region}.${Aws.URL_SUFFIX}`;
    this.path = stage.domain ? '' : `/${stageName}`;
    this.url = this.#address(stage);
    const dimensionsMap = { ApiName: name };
    this.responsesFrom500 = new Metric({
      namespace: 'AWS/ApiGateway',
      metricName: '5XXError',
      dimensionsMap,
      statistic: 'Sum',
    });
  }

  #named({ domain }: Stage): DomainName | undefined {
    if (!domain) return undefined;
    return new DomainName(this, 'Domain', {
      domainName: domain.name,
      certificate: Certificate.fromCertificateArn(this, 'Certificate', domain.certificateArn),
      endpointType: EndpointType.REGIONAL,
      securityPolicy: SecurityPolicy.TLS_1_2,
    });
  }

  #address({ emulatorUrl }: Stage): string {
    if (emulatorUrl) return `${emulatorUrl}/_aws/execute-api/${this.id}/${stageName}`;
    return `https://${this.host}${this.path}`;
  }
}
