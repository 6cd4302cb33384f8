/** The dashboard's host on AWS: pages with the headers of the local host, and the API below the same origin. */
import { runInNewContext } from 'node:vm';
import { array, assert, constant, ipV6, oneof, pre, property, stringMatching } from 'fast-check';
import ipaddr from 'ipaddr.js';
import { describe, expect, test } from 'vitest';
import { apiCode, pageCode, viewerHeader } from '../../../../../infra/aws/dashboard/edge-code.ts';
import { siteFileOf, siteHeaders } from '../../../../../infra/dashboard-site.ts';
import { routes } from '../../../../../infra/hosting.ts';
import { fullStage } from '../../full-stage.ts';
import { type Synthesized, synthesize, textOf } from '../../synthesized.ts';

const app = synthesize('dev');
const named = fullStage('dev');

interface Behavior {
  readonly PathPattern: string;
  readonly TargetOriginId: string;
  readonly AllowedMethods?: readonly string[];
  readonly CachePolicyId: string;
  readonly OriginRequestPolicyId?: string;
  readonly ResponseHeadersPolicyId?: object;
  readonly ViewerProtocolPolicy: string;
}
interface Origin {
  readonly Id: string;
  readonly DomainName: unknown;
  readonly OriginPath?: string;
  readonly OriginAccessControlId?: object;
}
interface Distribution {
  readonly DistributionConfig: {
    readonly Aliases?: readonly string[];
    readonly CacheBehaviors: readonly Behavior[];
    readonly DefaultCacheBehavior: Behavior;
    readonly CustomErrorResponses?: object;
    readonly Origins: readonly Origin[];
    readonly ViewerCertificate?: { readonly MinimumProtocolVersion: string };
  };
}

const distributionOf = (synthesized: Synthesized) =>
  synthesized.dashboard('dev', 'Site').one<Distribution>('AWS::CloudFront::Distribution').Properties.DistributionConfig;

const matches = (pattern: string, path: string): boolean =>
  new RegExp(
    `^${pattern
      .split('*')
      .map((part) => RegExp.escape(part))
      .join('.*')}$`,
  ).test(path);

/** Selects a behavior like CloudFront: the first one whose pattern matches. */
function servedBy(path: string, synthesized = app): { readonly behavior: Behavior; readonly origin: Origin } {
  const { CacheBehaviors, DefaultCacheBehavior, Origins } = distributionOf(synthesized);
  const behavior = CacheBehaviors.find(({ PathPattern }) => matches(PathPattern, path)) ?? DefaultCacheBehavior;
  const origin = Origins.find(({ Id }) => Id === behavior.TargetOriginId);
  if (!origin) throw new Error(`${path} has no origin`);
  return { behavior, origin };
}

/** Runs a CloudFront function. */
const run = (code: string, event: object): Readonly<Record<string, unknown>> =>
  JSON.parse(String(runInNewContext(`${code}; JSON.stringify(handler(event));`, { event }))) as never;

describe('pages of the dashboard’s site:', () => {
  const pages = ['/account', '/account/', '/account/tasks', '/account/tasks/1', '/account/assets/index-x.js'];

  test.each(pages)('%s comes from the private bucket, only over TLS', (path) => {
    const { behavior, origin } = servedBy(path);
    expect(textOf(origin.DomainName)).toMatch(/^<Bucket\w+\.RegionalDomainName>$/);
    expect(origin.OriginAccessControlId).toBeDefined();
    expect(behavior).toMatchObject({ ViewerProtocolPolicy: 'redirect-to-https' });
    expect(behavior.ResponseHeadersPolicyId).toBeDefined();
  });

  const fileAt = (path: string) => run(pageCode, { request: { uri: path, headers: {} } }).uri;

  test('URL paths are mapped to files in the bucket by the same rule as on the local host', () => {
    const part = stringMatching(/^[\w.%-]{0,8}$/);
    const anyPath = array(oneof(constant('assets'), part), { maxLength: 4 });
    const known = [
      [],
      [''],
      ['index.html'],
      ['color-scheme.js'],
      ['assets', 'a-b.c.js'],
      ['assets', '..', 'x.js'],
      ['a b'],
    ];
    assert(
      property(anyPath, (parts) => {
        const path = ['/account', ...parts].join('/');
        pre(!path.startsWith('/account/api/'));
        expect(fileAt(path)).toBe(`/account/${siteFileOf(path)}`);
        const ofOperators = ['/operate', ...parts].join('/');
        pre(!ofOperators.startsWith('/operate/api/'));
        expect([fileAt(ofOperators), siteFileOf(ofOperators)]).toEqual(['/account/operate.html', 'operate.html']);
      }),
      { examples: known.map((parts) => [parts]) },
    );
  });

  test('responses have the same security headers as on the local host', () => {
    interface Policy {
      readonly ResponseHeadersPolicyConfig: {
        readonly CustomHeadersConfig: {
          readonly Items: readonly { readonly Header: string; readonly Value: string }[];
        };
        readonly SecurityHeadersConfig: {
          readonly ContentSecurityPolicy: { readonly ContentSecurityPolicy: unknown };
          readonly ContentTypeOptions: { readonly Override: boolean };
          readonly ReferrerPolicy: { readonly ReferrerPolicy: string };
          readonly StrictTransportSecurity: {
            readonly AccessControlMaxAgeSec: number;
            readonly IncludeSubdomains: boolean;
          };
        };
      };
    }
    const { CustomHeadersConfig, SecurityHeadersConfig: of } = app
      .dashboard('dev', 'Headers')
      .one<Policy>('AWS::CloudFront::ResponseHeadersPolicy').Properties.ResponseHeadersPolicyConfig;
    const { AccessControlMaxAgeSec, IncludeSubdomains } = of.StrictTransportSecurity;
    const csp = textOf(of.ContentSecurityPolicy.ContentSecurityPolicy);
    const [, results = ''] = /media-src 'self' blob: (https:\/\/<[^>]*Results[^>]*>);/.exec(csp) ?? [];
    const [, uploads = ''] =
      /connect-src 'self' https:\/\/<[^>]*Results[^>]*> (https:\/\/s3\.<[^;]*Inputs[^;]*);/.exec(csp) ?? [];
    const sent = {
      'Content-Security-Policy': csp,
      'Strict-Transport-Security': `max-age=${AccessControlMaxAgeSec}${IncludeSubdomains ? '; includeSubDomains' : ''}`,
      'Referrer-Policy': of.ReferrerPolicy.ReferrerPolicy,
      ...(of.ContentTypeOptions.Override && { 'X-Content-Type-Options': 'nosniff' }),
      ...Object.fromEntries(CustomHeadersConfig.Items.map(({ Header, Value }) => [Header, Value])),
    };
    expect(sent).toEqual(siteHeaders({ results, uploads: uploads.split(' ') }));
    // A custom domain may have other hosts below it, whose security headers are not the dashboard's concern.
    expect(IncludeSubdomains).toBe(false);
  });
});

const paths = [...new Set(routes.map(({ path }) => path))];
const isOfDashboard = (path: string): boolean => /^\/(account|operate)\/api\//.test(path);

describe('API access at the dashboard’s host:', () => {
  test.each(paths.filter((path) => !isOfDashboard(path)))('%s is not served', (path) => {
    const { behavior, origin } = servedBy(path);
    expect(textOf(origin.DomainName)).toMatch(/^<Bucket\w+\.RegionalDomainName>$/);
    expect(behavior.AllowedMethods ?? []).not.toContain('POST');
    expect(run(pageCode, { request: { uri: path, headers: {} } })).toMatchObject({ statusCode: 404 });
  });

  test.each(paths.filter(isOfDashboard))('the dashboard’s operation %s is served', (path) => {
    const { behavior, origin } = servedBy(path.replaceAll(/\{\w+\}/g, 'an-id'));
    expect(textOf(origin.DomainName)).toMatch(/^<[^>]*RestApi[^>]*>\.execute-api\.<AWS::Region>\.<AWS::URLSuffix>$/);
    expect(origin.OriginPath).toBe('/live');
    expect(behavior.AllowedMethods).toEqual(expect.arrayContaining(['POST', 'DELETE']));
    // Responses are not cached, and everything but the host name is forwarded: cookies, queries and the client's
    // address.
    expect(behavior).toMatchObject({
      CachePolicyId: '4135ea2d-6df8-44a3-9df3-4b5a84be39ad',
      OriginRequestPolicyId: 'b689b0a8-53d0-40ab-baf2-68738e2966ac',
    });
  });

  test('responses of the API are never replaced by a page', () => {
    expect(distributionOf(app).CustomErrorResponses).toBeUndefined();
  });

  const viewerOf = (ip: string): unknown => {
    const request = { uri: '/account/api/login', headers: { [viewerHeader]: { value: '10.0.0.1' } } };
    const { headers } = run(apiCode, { request, viewer: { ip } }) as { headers: Record<string, { value: string }> };
    return headers[viewerHeader]?.value;
  };

  test('the browser’s real address is passed on, whatever the browser claims', () => {
    expect(viewerOf('203.0.113.9')).toBe('203.0.113.9');
  });

  test('all addresses of one IPv6 network of 64 bits count as one client, however they are written', () => {
    const networkOf = (ip: string) => [...ipaddr.IPv6.parse(ip).parts.slice(0, 4), 0, 0, 0, 0];
    assert(
      property(ipV6(), (ip) => {
        pre(!ip.includes('.'));
        const [network = '', bits] = String(viewerOf(ip)).split('/');
        expect([ipaddr.IPv6.parse(network).parts, bits]).toEqual([networkOf(ip), '64']);
      }),
      {
        examples: [
          ['::'],
          ['::1'],
          ['2001:db8::1'],
          ['1::2:3:4:5:6:7'],
          ['2001:0DB8:0:0:1:2:3:4'],
          ['1:2:3:4:5:6:7::'],
        ].map(([ip = '']) => [ip]),
      },
    );
    const spellings = ['2001:db8::1', '2001:0db8:0000:0000:ffff::', '2001:DB8:0:0:1:2:3:4'];
    expect(new Set(spellings.map(viewerOf)).size).toBe(1);
    expect(viewerOf('2001:db8:0:1::1')).not.toBe(viewerOf('2001:db8::1'));
    expect(viewerOf('::ffff:203.0.113.9')).not.toBe(viewerOf('::ffff:203.0.113.8'));
  });

  test('the API of a stage with a domain is called at that domain, because the API’s own address is disabled', () => {
    const { origin } = servedBy('/account/api/session', named);
    expect(origin).toMatchObject({ DomainName: 'api.example.com' });
    expect(origin.OriginPath).toBeUndefined();
  });
});

test('the firewall’s key exists even without a firewall, so that turning the firewall off locks no user out', () => {
  expect(Object.keys(app.dashboard('dev', 'Site').ofType('AWS::SecretsManager::Secret'))).toHaveLength(1);
  expect(JSON.stringify(distributionOf(app).Origins)).toContain('"HeaderName":"x-origin-key"');
});

test('the root path of the dashboard’s host redirects to the dashboard', () => {
  expect(run(pageCode, { request: { uri: '/', headers: {} } })).toMatchObject({
    statusCode: 302,
    headers: { location: { value: '/account/' } },
  });
});

test('the dashboard uses its own domain, with TLS 1.2 at least, instead of CloudFront’s address if it has one', () => {
  const { Aliases, ViewerCertificate } = distributionOf(named);
  expect([Aliases, ViewerCertificate?.MinimumProtocolVersion]).toEqual([['account.example.com'], 'TLSv1.2_2021']);
  expect(named.service('dev').outputs.DashboardUrl?.Value).toBe('https://account.example.com');
  expect(textOf(named.service('dev').outputs.DashboardDomainTarget?.Value)).toMatch(/^<Distribution\w+\.DomainName>$/);
  expect(textOf(app.service('dev').outputs.DashboardUrl?.Value)).toMatch(/^https:\/\/<Distribution\w+\.DomainName>$/);
});

test('log-ins work at CloudFront’s address as well as at the domain, so that adding or removing a domain locks no user out', () => {
  const identity = named.dashboard('dev', 'Identity');
  const clients = Object.values(
    identity.ofType<{ CallbackURLs?: unknown[]; LogoutURLs?: unknown[] }>('AWS::Cognito::UserPoolClient'),
  );
  const [pages] = clients.filter(({ Properties }) => Properties.CallbackURLs);
  const both = (path: string) => [`https://account.example.com${path}`, expect.stringMatching(`^https://<.+>${path}$`)];
  expect(pages?.Properties.CallbackURLs?.map(textOf)).toEqual(both('/account/api/callback'));
  expect(pages?.Properties.LogoutURLs?.map(textOf)).toEqual(both('/account/api/home'));
});

describe('the publication of the dashboard’s pages', () => {
  test('is done by a function that may upload files and delete outdated ones, after everything else is deployed', () => {
    const site = app.dashboard('dev', 'Site');
    const [role] = Object.values(
      site.ofType<{ Policies: readonly { PolicyDocument: { Statement: readonly Record<string, unknown>[] } }[] }>(
        'AWS::IAM::Role',
      ),
    );
    const statements = role?.Properties.Policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement) ?? [];
    const allowed = statements.map(({ Action, Resource }) => [[Action].flat().join(), textOf(Resource)]);
    expect(allowed).toEqual([
      ['logs:CreateLogStream,logs:PutLogEvents', expect.stringMatching(/^<PublisherLog\w+\.Arn>$/)],
      ['s3:PutObject', expect.stringMatching(/^<Bucket\w+\.Arn>\/account\/\*$/)],
      ['s3:GetObject,s3:PutObject', expect.stringMatching(/^<Bucket\w+\.Arn>\/outdated-files\.json$/)],
      ['s3:DeleteObject', expect.stringMatching(/^<Bucket\w+\.Arn>\/account\/assets\/\*$/)],
      ['s3:ListBucket', expect.stringMatching(/^<Bucket\w+\.Arn>$/)],
    ]);
    const { stack } = app.dashboard('dev', 'Pages');
    const others = app.stacks('dev').map((one) => one.stack.stackName);
    const before = stack.dependencies.map(({ stackName }) => stackName);
    expect(before.toSorted()).toEqual(
      others.filter((name) => !/-(Pages|Headers|Identity|Operators)$/.test(name)).toSorted(),
    );
  });
});

test('a stage without a dashboard has no dashboard stacks, and its functions do not refer to one', () => {
  const bare = synthesize('prod', { prod: { firewall: true } });
  const names = bare.stacks('prod').map(({ stack }) => stack.stackName);
  expect(names.filter((name) => /-(Headers|Site|Identity|Operators|Pages)$/.test(name))).toEqual([]);
  expect(JSON.stringify(bare.service('prod').resources)).not.toMatch(/DASHBOARD_URL|IDENTITY_|cognito/);
});
