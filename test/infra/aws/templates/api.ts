/** The deployed API: the routes of the contracts, and the gateway's own responses. */
import { App, Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { type IFunction, Function as Lambda } from 'aws-cdk-lib/aws-lambda';
import { describe, expect, test } from 'vitest';
import { Api } from '../../../../infra/aws/api.ts';
import { BaseStack } from '../../../../infra/aws/base-stack.ts';
import { readStages } from '../../../../infra/aws/stages.ts';
import { routes } from '../../../../infra/hosting.ts';
import { gatewayResponse } from '../../../../infra/local/http-gateway/gateway-response.ts';
import type { GatewayErrorName } from '../../../../shared/contracts/gateway.ts';
import { registry } from '../../../../shared/contracts/registry.ts';
import { everySetting, fullStage } from '../full-stage.ts';
import { functionsOf } from '../policies.ts';
import { stagesWith, synthesize, textOf } from '../synthesized.ts';

const { domain } = everySetting;

const service = synthesize('prod').service('prod');
const withDomain = fullStage('dev').service('dev');

interface Method {
  readonly HttpMethod: string;
  readonly ResourceId: { readonly Ref?: string };
  readonly AuthorizationType: string;
  readonly Integration: { readonly Type: string; readonly Uri: unknown };
}

function pathOf(id = ''): string {
  const resource = service.ofType<{ PathPart: string; ParentId: { Ref?: string } }>('AWS::ApiGateway::Resource')[id];
  return resource ? `${pathOf(resource.Properties.ParentId.Ref)}/${resource.Properties.PathPart}` : '';
}

const deployedRoutes = () =>
  Object.values(service.ofType<Method>('AWS::ApiGateway::Method')).map(({ Properties }) => {
    const { HttpMethod: method, ResourceId, AuthorizationType, Integration } = Properties;
    const [, functionName] = /<Functions(\w+)Live\w{8}>\/invocations$/.exec(textOf(Integration.Uri)) ?? [];
    return { method, path: pathOf(ResourceId.Ref), functionName, AuthorizationType, type: Integration.Type };
  });

test.each(Object.values(registry))(
  'the API calls the live version of $operationId for $method $path',
  ({ operationId: functionName, method, path }) => {
    const expected = { method, path, functionName, AuthorizationType: 'NONE', type: 'AWS_PROXY' };
    expect(deployedRoutes()).toContainEqual(expected);
  },
);

test('the API has exactly the routes of the contracts, without OPTIONS', () => {
  const named = ({ method, path, functionName }: { method: string; path: string; functionName?: string | undefined }) =>
    `${method} ${path} ${functionName}`;
  expect(deployedRoutes().map(named).toSorted()).toEqual(routes.map(named).toSorted());
});

describe('a deployment of the API', () => {
  test('waits for every route and every gateway response', () => {
    const { DependsOn } = service.one('AWS::ApiGateway::Deployment') as { DependsOn?: readonly string[] };
    const types = ['AWS::ApiGateway::Method', 'AWS::ApiGateway::GatewayResponse'];
    const parts = types.flatMap((type) => Object.keys(service.ofType(type)));
    expect(parts.length).toBeGreaterThan(routes.length);
    expect(DependsOn).toEqual(expect.arrayContaining(parts));
  });

  test('is replaced only if a function moves to another stack', () => {
    const deploymentWith = (capability: string) => {
      const app = new App();
      const [stage] = readStages({ stage: 'dev', stages: stagesWith('dev') });
      if (!stage) throw new Error('There is no stage dev.');
      const functions = new Stack(app, capability);
      const made = new Map<string, IFunction>();
      const live = (name: string) => {
        const found = made.get(name) ?? Lambda.fromFunctionName(functions, name, name);
        made.set(name, found);
        return found;
      };
      const base = new BaseStack(app, 'Base', { stage });
      const api = new Api(new Stack(app, 'Service'), 'Api', { stage, base, live });
      return Object.keys(Template.fromStack(Stack.of(api)).findResources('AWS::ApiGateway::Deployment'));
    };
    expect(deploymentWith('One')).toEqual(deploymentWith('One'));
    expect(deploymentWith('One')).not.toEqual(deploymentWith('Two'));
  });
});

describe('gateway responses of the API', () => {
  interface GatewayResponse {
    readonly ResponseType: string;
    readonly StatusCode: string;
    readonly ResponseParameters: Readonly<Record<string, string>>;
    readonly ResponseTemplates: Readonly<Record<string, string>>;
  }

  const responses = () =>
    new Map(
      Object.values(service.ofType<GatewayResponse>('AWS::ApiGateway::GatewayResponse')).map(({ Properties }) => [
        Properties.ResponseType,
        Properties,
      ]),
    );

  const specified: [type: string, status: number, code: string, same: GatewayErrorName][] = [
    ['MISSING_AUTHENTICATION_TOKEN', 404, 'NOT_FOUND', 'missingRoute'],
    ['DEFAULT_4XX', 404, 'NOT_FOUND', 'missingRoute'],
    ['REQUEST_TOO_LARGE', 400, 'VALIDATION_ERROR', 'tooLarge'],
    ['UNSUPPORTED_MEDIA_TYPE', 400, 'VALIDATION_ERROR', 'unsupportedType'],
    ['BAD_REQUEST_BODY', 400, 'VALIDATION_ERROR', 'malformed'],
    ['BAD_REQUEST_PARAMETERS', 400, 'VALIDATION_ERROR', 'malformed'],
    ['THROTTLED', 429, 'RATE_LIMITED', 'throttled'],
    ['INTEGRATION_FAILURE', 503, 'PROVIDER_UNAVAILABLE', 'overloaded'],
    ['WAF_FILTERED', 403, 'FORBIDDEN', 'blocked'],
    ['DEFAULT_5XX', 500, 'INTERNAL_ERROR', 'failed'],
  ];

  test.each(specified)(
    'for %s are %i %s, with the message and headers of the local gateway',
    (type, status, code, same) => {
      const response = responses().get(type);
      const local = gatewayResponse(same, 'an id');
      expect(local.status).toBe(status);
      expect(JSON.parse(local.body)).toMatchObject({ success: false, error: { code } });
      expect(response?.StatusCode).toBe(String(status));
      expect(response?.ResponseTemplates).toEqual({ 'application/json': local.body });
      const { 'Content-Length': _length, 'X-Request-Id': _id, ...fixed } = local.headers;
      for (const [name, value] of Object.entries(fixed)) {
        expect(response?.ResponseParameters[`gatewayresponse.header.${name}`]).toBe(`'${value}'`);
      }
    },
  );

  test('cover every type of gateway response that API Gateway has', () => {
    expect([...responses().keys()].toSorted()).toEqual(specified.map(([type]) => type).toSorted());
  });

  test('contain the request id, and Retry-After where a retry helps', () => {
    for (const { ResponseParameters } of responses().values()) {
      expect(ResponseParameters['gatewayresponse.header.X-Request-Id']).toBe('context.requestId');
    }
    const waits = [...responses().values()].filter(
      ({ ResponseParameters: headers }) => 'gatewayresponse.header.Retry-After' in headers,
    );
    const seconds = waits.map(({ ResponseType, ResponseParameters: headers }) => [
      ResponseType,
      headers['gatewayresponse.header.Retry-After'],
    ]);
    expect(seconds).toEqual([
      ['INTEGRATION_FAILURE', "'2'"],
      ['THROTTLED', "'1'"],
    ]);
  });

  test('contain no template variable and no CORS headers', () => {
    const bodies = [...responses().values()].flatMap(({ ResponseTemplates }) => Object.values(ResponseTemplates));
    expect(bodies.filter((body) => /[$#]/.test(body))).toEqual([]);
    expect(JSON.stringify([...responses().values()]).toLowerCase()).not.toContain('access-control');
  });
});

describe('the API’s stage', () => {
  const stage = () =>
    service.one<{ AccessLogSetting: { Format: string }; MethodSettings: object[] }>('AWS::ApiGateway::Stage')
      .Properties;

  test('throttles all clients together, and logs neither bodies nor tokens', () => {
    expect(stage().MethodSettings).toEqual([
      {
        HttpMethod: '*',
        ResourcePath: '/*',
        ThrottlingRateLimit: 1000,
        ThrottlingBurstLimit: 2000,
        DataTraceEnabled: false,
        LoggingLevel: 'OFF',
      },
    ]);
  });

  test('logs the route of each request, but not its path, query string, headers or body', () => {
    const fields = Object.values(JSON.parse(stage().AccessLogSetting.Format) as Record<string, string>);
    expect(fields).toContain('$context.requestId');
    expect(fields).toContain('$context.resourcePath');
    expect(fields.filter((value) => /context\.path|query|header|authorizer|override|body/i.test(value))).toEqual([]);
  });
});

describe('the API of a stage with a domain', () => {
  test('is reachable only at the domain, which is also its address for engines', () => {
    expect(withDomain.one('AWS::ApiGateway::RestApi').Properties).toMatchObject({ DisableExecuteApiEndpoint: true });
    const expected = {
      DomainName: domain.name,
      SecurityPolicy: 'TLS_1_2',
      RegionalCertificateArn: domain.certificateArn,
    };
    expect(withDomain.one('AWS::ApiGateway::DomainName').Properties).toMatchObject(expected);
    expect(functionsOf(withDomain).askEngine.environment).toMatchObject({ API_URL: `https://${domain.name}` });
    expect(service.one('AWS::ApiGateway::RestApi').Properties).toMatchObject({ DisableExecuteApiEndpoint: false });
  });

  test('outputs the target of its DNS record', () => {
    const outputOf = (name: string) => textOf(withDomain.outputs[name]?.Value);
    expect(outputOf('DomainTarget')).toMatch(/^<AddressDomain\w{8}\.RegionalDomainName>$/);
    expect(outputOf('DomainHostedZoneId')).toMatch(/^<AddressDomain\w{8}\.RegionalHostedZoneId>$/);
    expect(Object.keys(service.outputs).filter((name) => name.startsWith('Domain'))).toEqual([]);
  });
});
