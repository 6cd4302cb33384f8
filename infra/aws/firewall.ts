/** Blocks requests before they reach the API: from addresses of bad reputation, known attacks, and floods. */
import { CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import { Construct } from 'constructs';
import { addressLimit } from '../hosting.ts';
import { stageName } from './api-address.ts';

type Rule = CfnWebACL.RuleProperty;

const visibility = (metricName: string) => ({
  cloudWatchMetricsEnabled: true,
  sampledRequestsEnabled: false,
  metricName,
});

/** Rules that inspect bodies only count: a prompt may contain text that looks like an attack. */
const managedRule = (name: string, priority: number, bodyRules: readonly string[] = []): Rule => ({
  name,
  priority,
  overrideAction: { none: {} },
  statement: {
    managedRuleGroupStatement: {
      vendorName: 'AWS',
      name,
      ruleActionOverrides: bodyRules.map((rule) => ({ name: rule, actionToUse: { count: {} } })),
    },
  },
  visibilityConfig: visibility(name),
});

/** Not limited: all callbacks of an engine come from a few addresses. */
const callbacks: CfnWebACL.StatementProperty = {
  regexMatchStatement: {
    fieldToMatch: { uriPath: {} },
    regexString: `^(/${stageName})?/inbound/`,
    textTransformations: [{ priority: 0, type: 'NONE' }],
  },
};

const floods: Rule = {
  name: 'Floods',
  priority: 0,
  action: { block: {} },
  statement: {
    rateBasedStatement: {
      aggregateKeyType: 'IP',
      limit: addressLimit.requests,
      evaluationWindowSec: addressLimit.seconds,
      scopeDownStatement: { notStatement: { statement: callbacks } },
    },
  },
  visibilityConfig: visibility('Floods'),
};

export class Firewall extends Construct {
  constructor(scope: Construct, id: string, resourceArn: string) {
    super(scope, id);
    const acl = new CfnWebACL(this, 'WebAcl', {
      scope: 'REGIONAL',
      defaultAction: { allow: {} },
      rules: [
        floods,
        managedRule('AWSManagedRulesAmazonIpReputationList', 1),
        // The common rule set is left out: it is meant for web forms.
        managedRule('AWSManagedRulesKnownBadInputsRuleSet', 2, [
          'JavaDeserializationRCE_BODY',
          'Log4JRCE_BODY',
          'ReactJSRCE_BODY',
        ]),
      ],
      visibilityConfig: visibility('Firewall'),
    });
    new CfnWebACLAssociation(this, 'Association', { resourceArn, webAclArn: acl.attrArn });
  }
}
