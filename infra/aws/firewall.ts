/** What refuses requests before they reach the API: addresses of bad repute, known attacks, and floods. */
import { CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import { Construct } from 'constructs';

/** From one address in five minutes. Clients are back ends: many tokens can come from a single one. */
const requestsPerAddress = 30_000;

type Rule = CfnWebACL.RuleProperty;

const visibility = (metricName: string) => ({
  cloudWatchMetricsEnabled: true,
  sampledRequestsEnabled: false,
  metricName,
});

/** Not among them: the common rule set, whose rules for bodies would take prompts for attacks. */
const managedRule = (name: string, priority: number): Rule => ({
  name,
  priority,
  overrideAction: { none: {} },
  statement: { managedRuleGroupStatement: { vendorName: 'AWS', name } },
  visibilityConfig: visibility(name),
});

const floods: Rule = {
  name: 'Floods',
  priority: 0,
  action: { block: {} },
  statement: { rateBasedStatement: { aggregateKeyType: 'IP', limit: requestsPerAddress } },
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
        managedRule('AWSManagedRulesKnownBadInputsRuleSet', 2),
      ],
      visibilityConfig: visibility('Firewall'),
    });
    new CfnWebACLAssociation(this, 'Association', { resourceArn, webAclArn: acl.attrArn });
  }
}
