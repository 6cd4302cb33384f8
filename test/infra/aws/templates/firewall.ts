/** The firewall blocks floods and guesses at log-ins, but neither engines’ callbacks nor prompts. */
import { posix } from 'node:path';
import { describe, expect, test } from 'vitest';
import { originHeader, viewerHeader } from '../../../../infra/aws/dashboard/edge-code.ts';
import { connectionRoutes } from '../../../../shared/contracts/connecting.ts';
import { dashboardContracts } from '../../../../shared/contracts/dashboard.ts';
import { inboundRoutes } from '../../../../shared/contracts/inbound.ts';
import { loginRoutes } from '../../../../shared/contracts/login.ts';
import { operateContracts } from '../../../../shared/contracts/operate.ts';
import { operatorLoginRoutes } from '../../../../shared/contracts/operate-login.ts';
import { registry } from '../../../../shared/contracts/registry.ts';
import { type StackTemplate, synthesize, textOf } from '../synthesized.ts';

interface Statement {
  readonly AndStatement?: { readonly Statements: readonly Statement[] };
  readonly NotStatement?: { readonly Statement: Statement };
  readonly RegexMatchStatement?: {
    readonly RegexString: string;
    readonly TextTransformations: readonly { readonly Type: string; readonly Priority: number }[];
  };
  readonly ByteMatchStatement?: {
    readonly FieldToMatch: { readonly SingleHeader?: { readonly Name: string }; readonly Method?: object };
    readonly SearchString: unknown;
    readonly PositionalConstraint: string;
  };
  readonly RateBasedStatement?: {
    readonly AggregateKeyType: string;
    readonly CustomKeys?: readonly { readonly Header: { readonly Name: string } }[];
    readonly Limit: number;
    readonly EvaluationWindowSec: number;
    readonly ScopeDownStatement: Statement;
  };
  readonly ManagedRuleGroupStatement?: { readonly RuleActionOverrides?: readonly object[] };
}

interface Rule {
  readonly Name: string;
  readonly Priority: number;
  readonly Action?: object;
  readonly Statement: Statement;
}

const rulesOf = (template: StackTemplate): readonly Rule[] =>
  template.one<{ Rules: readonly Rule[] }>('AWS::WAFv2::WebACL').Properties.Rules;

const service = synthesize('prod').service('prod');
const rules = rulesOf(service);
const bare = rulesOf(synthesize('prod', { prod: { firewall: true } }).service('prod'));

const rule = (name: string, all = rules): Rule => {
  const found = all.find(({ Name }) => Name === name);
  if (!found) throw new Error(`there is no rule ${name}`);
  return found;
};

interface Sent {
  readonly path: string;
  readonly isBySite?: boolean;
  readonly method?: string;
}

/** Transforms a path as the firewall does before it compares it. */
const transformations: Readonly<Record<string, (path: string) => string>> = {
  NONE: (path) => path,
  LOWERCASE: (path) => path.toLowerCase(),
  URL_DECODE: decodeURIComponent,
  NORMALIZE_PATH: (path) => posix.normalize(path),
};

/** Whether a request matches a statement. */
function holds(statement: Statement, sent: Sent): boolean {
  const { path, isBySite = false, method = 'GET' } = sent;
  const { AndStatement, ByteMatchStatement, NotStatement, RegexMatchStatement } = statement;
  if (AndStatement) return AndStatement.Statements.every((one) => holds(one, sent));
  if (NotStatement) return !holds(NotStatement.Statement, sent);
  if (ByteMatchStatement?.FieldToMatch.Method) return ByteMatchStatement.SearchString === method;
  if (ByteMatchStatement) return isBySite;
  if (!RegexMatchStatement) throw new Error('there is a statement that this does not know');
  const { RegexString, TextTransformations } = RegexMatchStatement;
  const compared = TextTransformations.toSorted((one, other) => one.Priority - other.Priority).reduce(
    (changed, { Type }) => transformations[Type]?.(changed) ?? Type,
    path,
  );
  return new RegExp(RegexString).test(compared);
}

const counts = (name: string, sent: Sent, all = rules): boolean => {
  const { RateBasedStatement } = rule(name, all).Statement;
  if (!RateBasedStatement) throw new Error(`${name} counts nothing`);
  return holds(RateBasedStatement.ScopeDownStatement, sent);
};

/** Other spellings of a path that the gateway routes in the same way. */
const spellings = (path: string): string[] => [
  path,
  `${path}/`,
  `/${path}`,
  path.replace('/account', '/./account'),
  path.replace('account', '%61ccount'),
  path.replace('/api/', '//api/'),
];

/** The path at either address of the API. */
const addresses = (paths: readonly string[]): string[] => paths.flatMap((path) => [path, `/live${path}`]);
const pathsOf = (routes: Readonly<Record<string, { readonly path: string }>>): string[] =>
  addresses(Object.values(routes).map(({ path }) => path));

test('the firewall blocks an IP address that sends more than a hundred requests a second for five minutes', () => {
  for (const all of [rules, bare]) {
    const { Action, Statement } = rule('Floods', all);
    expect(Action).toEqual({ Block: {} });
    expect(Statement.RateBasedStatement).toMatchObject({
      AggregateKeyType: 'IP',
      Limit: 30_000,
      EvaluationWindowSec: 300,
    });
  }
});

test('the firewall does not count engine callbacks at either address of the API, because they come from few IP addresses', () => {
  for (const all of [rules, bare]) {
    expect(counts('Floods', { path: '/inbound/../api/v1/tasks' }, all)).toBe(true);
    expect(pathsOf(inboundRoutes).filter((path) => counts('Floods', { path }, all))).toEqual([]);
    expect(pathsOf(registry).filter((path) => !counts('Floods', { path }, all))).toEqual([]);
  }
});

describe('the firewall of a stage with a dashboard', () => {
  test('allows dashboard operations only through the dashboard’s site, which sends a key that no template contains', () => {
    const { Action, Statement } = rule('Strangers');
    expect(Action).toEqual({ Block: {} });
    const all = [loginRoutes, operatorLoginRoutes, connectionRoutes, dashboardContracts, operateContracts].flatMap(
      (routes) => pathsOf(routes),
    );
    for (const path of all.flatMap(spellings)) {
      expect([path, holds(Statement, { path }), holds(Statement, { path, isBySite: true })]).toEqual([
        path,
        true,
        false,
      ]);
    }
    expect(pathsOf(registry).filter((path) => holds(Statement, { path }))).toEqual([]);
    const proof = Statement.AndStatement?.Statements.find((one) => one.NotStatement)?.NotStatement?.Statement;
    expect(proof?.ByteMatchStatement?.FieldToMatch.SingleHeader?.Name).toBe(originHeader);
    expect(proof?.ByteMatchStatement?.PositionalConstraint).toBe('EXACTLY');
    const key = textOf(proof?.ByteMatchStatement?.SearchString);
    expect(key).toMatch(/^\{\{resolve:secretsmanager:<OriginKey\w+>:SecretString:::\}\}$/);
    const sent = JSON.stringify(synthesize('prod').dashboard('prod', 'Site').one('AWS::CloudFront::Distribution'));
    expect(sent).toMatch(/"HeaderName":"x-origin-key","HeaderValue":\{"Fn::Join":\["",\["\{\{resolve:secretsmanager:/);
  });

  test('allows a browser 300 log-in requests in five minutes, identified by the IP address that CloudFront names', () => {
    const { Action, Statement } = rule('LogIns');
    expect(Action).toEqual({ Block: {} });
    expect(Statement.RateBasedStatement).toMatchObject({
      AggregateKeyType: 'CUSTOM_KEYS',
      CustomKeys: [{ Header: { Name: viewerHeader } }],
      Limit: 300,
      EvaluationWindowSec: 300,
    });
    const logIns = [...pathsOf(loginRoutes), ...pathsOf(operatorLoginRoutes)].flatMap(spellings);
    expect(logIns.filter((path) => !counts('LogIns', { path, isBySite: true }))).toEqual([]);
    const own = [...pathsOf(dashboardContracts), ...pathsOf(operateContracts)];
    const others = [...pathsOf(connectionRoutes), ...own, ...pathsOf(registry)];
    expect(others.filter((path) => counts('LogIns', { path, isBySite: true }))).toEqual([]);
  });

  test('attributes a flood through the dashboard’s site to the browsers that send it, not to CloudFront', () => {
    const path = '/api/v1/tasks';
    expect([counts('SiteFloods', { path, isBySite: true }), counts('Floods', { path, isBySite: true })]).toEqual([
      true,
      false,
    ]);
    expect([counts('SiteFloods', { path }), counts('Floods', { path })]).toEqual([false, true]);
    expect(rule('SiteFloods').Statement.RateBasedStatement).toMatchObject({
      AggregateKeyType: 'CUSTOM_KEYS',
      Limit: 30_000,
    });
  });

  test('limits requests to Cognito’s log-in pages separately, and does not count those from the service itself', () => {
    const pages = [
      '/login',
      '/signup',
      '/confirmUser',
      '/resendcode',
      '/forgotPassword',
      '/oauth2/authorize',
      '/oauth2/idpresponse',
    ];
    expect(pages.flatMap(spellings).filter((path) => !counts('LogInPages', { path }))).toEqual([]);
    const others = ['/oauth2/token', '/.well-known/jwks.json', '/logout', ...pathsOf(registry)];
    expect(others.filter((path) => counts('LogInPages', { path }))).toEqual([]);
    const guarded = Object.values(service.ofType<{ ResourceArn: unknown }>('AWS::WAFv2::WebACLAssociation'));
    expect(guarded.map(({ Properties }) => textOf(Properties.ResourceArn)).toSorted()).toEqual([
      expect.stringMatching(/^<Users\w+\.Arn>$/),
      expect.stringMatching(/^<Users\w+\.Arn>$/),
      expect.stringMatching(/restapis/),
    ]);
  });

  test('allows an IP address to request twenty e-mail messages in five minutes, because the messages per day are limited', () => {
    const { Action, Statement } = rule('Messages');
    expect(Action).toEqual({ Block: {} });
    expect(Statement.RateBasedStatement).toMatchObject({ AggregateKeyType: 'IP', Limit: 20, EvaluationWindowSec: 300 });
    const asking = ['/signup', '/resendcode', '/forgotPassword', '/resendcode/', '//signup', '/%73ignup'];
    expect(asking.filter((path) => !counts('Messages', { path, method: 'POST' }))).toEqual([]);
    expect(asking.filter((path) => counts('Messages', { path }))).toEqual([]);
    const others = ['/login', '/oauth2/token', ...pathsOf(registry), ...pathsOf(dashboardContracts)];
    expect(others.filter((path) => counts('Messages', { path, method: 'POST' }))).toEqual([]);
  });

  test('blocks unauthorized requests before anything is counted', () => {
    const names = rules.toSorted((one, other) => one.Priority - other.Priority).map(({ Name }) => Name);
    expect(names.slice(0, 2)).toEqual(['Strangers', 'LogIns']);
    expect(new Set(rules.map(({ Priority }) => Priority)).size).toBe(rules.length);
  });
});

test('the firewall protects only the API when there is no dashboard', () => {
  expect(bare.map(({ Name }) => Name)).toEqual([
    'Floods',
    'AWSManagedRulesAmazonIpReputationList',
    'AWSManagedRulesKnownBadInputsRuleSet',
  ]);
});

test('firewall rules that inspect bodies only count matches and block nothing, because a prompt may look like an attack', () => {
  const { ManagedRuleGroupStatement } = rule('AWSManagedRulesKnownBadInputsRuleSet').Statement;
  const counted = ['JavaDeserializationRCE_BODY', 'Log4JRCE_BODY', 'ReactJSRCE_BODY'];
  expect(ManagedRuleGroupStatement?.RuleActionOverrides).toEqual(
    counted.map((Name) => ({ Name, ActionToUse: { Count: {} } })),
  );
});
