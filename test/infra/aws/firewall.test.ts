/** The firewall blocks floods, but neither engines’ callbacks nor prompts. */
import { beforeAll, expect, test } from 'vitest';
import { inboundRoutes } from '../../../shared/contracts/inbound.ts';
import { registry } from '../../../shared/contracts/registry.ts';
import { synthesize } from './synthesized.ts';

interface Rule {
  readonly Name: string;
  readonly Action?: object;
  readonly Statement: {
    readonly RateBasedStatement?: {
      readonly Limit: number;
      readonly EvaluationWindowSec: number;
      readonly ScopeDownStatement: { NotStatement: { Statement: { RegexMatchStatement: { RegexString: string } } } };
    };
    readonly ManagedRuleGroupStatement?: { readonly RuleActionOverrides?: readonly object[] };
  };
}

let rules: readonly Rule[];

beforeAll(() => {
  const acl = synthesize('prod').service('prod').one<{ Rules: readonly Rule[] }>('AWS::WAFv2::WebACL');
  rules = acl.Properties.Rules;
}, 240_000);

const rule = (name: string): Rule => {
  const found = rules.find(({ Name }) => Name === name);
  if (!found) throw new Error(`there is no rule ${name}`);
  return found;
};

test('an address that sends more than a hundred requests a second for five minutes is blocked', () => {
  const { Action, Statement } = rule('Floods');
  expect(Action).toEqual({ Block: {} });
  expect(Statement.RateBasedStatement).toMatchObject({ Limit: 30_000, EvaluationWindowSec: 300 });
});

test('callbacks of engines, which come from few addresses, do not count, at either address of the API', () => {
  const { ScopeDownStatement } = rule('Floods').Statement.RateBasedStatement ?? {};
  const excepted = new RegExp(ScopeDownStatement?.NotStatement.Statement.RegexMatchStatement.RegexString ?? '$.');
  for (const { path } of Object.values(inboundRoutes)) {
    expect(excepted.test(path)).toBe(true);
    expect(excepted.test(`/live${path}`)).toBe(true);
  }
  for (const { path } of Object.values(registry)) {
    expect(excepted.test(path)).toBe(false);
    expect(excepted.test(`/live${path}`)).toBe(false);
  }
});

test('rules that inspect bodies only count: a prompt may look like an attack', () => {
  const { ManagedRuleGroupStatement } = rule('AWSManagedRulesKnownBadInputsRuleSet').Statement;
  const counted = ['JavaDeserializationRCE_BODY', 'Log4JRCE_BODY', 'ReactJSRCE_BODY'];
  expect(ManagedRuleGroupStatement?.RuleActionOverrides).toEqual(
    counted.map((Name) => ({ Name, ActionToUse: { Count: {} } })),
  );
});
