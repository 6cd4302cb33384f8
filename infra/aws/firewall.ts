/**
 * Blocks requests to the API and the log-in pages: from addresses with a bad reputation, with known attacks, and in
 * floods.
 */
import { CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import { Construct } from 'constructs';
import { loginRoutes } from '../../shared/contracts/login.ts';
import { operatorLoginRoutes } from '../../shared/contracts/operate-login.ts';
import { dashboardPath, operatePath } from '../dashboard-site.ts';
import { addressLimit, loginLimit } from '../hosting.ts';
import { stageName } from './api-address.ts';
import { originHeader, viewerHeader } from './dashboard/edge-code.ts';

type Rule = CfnWebACL.RuleProperty;
type Statement = CfnWebACL.StatementProperty;

const visibility = (metricName: string) => ({
  cloudWatchMetricsEnabled: true,
  sampledRequestsEnabled: false,
  metricName,
});

const blocking = (name: string, statement: Statement): Omit<Rule, 'priority'> => ({
  name,
  action: { block: {} },
  statement,
  visibilityConfig: visibility(name),
});

/**
 * An AWS managed rule set. Rules that inspect bodies only count, because a prompt may contain text that looks like an
 * attack.
 */
const managedRule = (name: string, bodyRules: readonly string[] = []): Omit<Rule, 'priority'> => ({
  name,
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

const asItIs = [{ priority: 0, type: 'NONE' }];

/** Normalizations of the path, because the gateway and Cognito accept other spellings. */
const asRouted = [
  { priority: 0, type: 'URL_DECODE' },
  { priority: 1, type: 'NORMALIZE_PATH' },
];
const inLowerCase = [...asRouted, { priority: 2, type: 'LOWERCASE' }];

const path = (regexString: string, textTransformations = asRouted): Statement => ({
  regexMatchStatement: { fieldToMatch: { uriPath: {} }, regexString, textTransformations },
});

/** A path prefix at either address of the API. */
const below = (start: string): Statement => path(`^(/${stageName})?${start}`);

const not = (statement: Statement): Statement => ({ notStatement: { statement } });
const both = (...statements: Statement[]): Statement => ({ andStatement: { statements } });

interface Rate {
  readonly limit: number;
  readonly seconds: number;
  /** The requests that the rule counts. */
  readonly of: Statement;
}

const rate = ({ limit, seconds, of }: Rate): CfnWebACL.RateBasedStatementProperty => ({
  aggregateKeyType: 'IP',
  limit,
  evaluationWindowSec: seconds,
  scopeDownStatement: of,
});

const ofSenders = (given: Rate): Statement => ({ rateBasedStatement: rate(given) });

/**
 * Counts requests by the browser's address, which CloudFront forwards. Without it, the firewall would see only the few
 * addresses of CloudFront.
 */
const ofViewers = (given: Rate): Statement => ({
  rateBasedStatement: {
    ...rate(given),
    aggregateKeyType: 'CUSTOM_KEYS',
    customKeys: [{ header: { name: viewerHeader, textTransformations: asItIs } }],
  },
});

/** Callbacks are not limited, because all of an engine's callbacks come from a few addresses. */
const callbacks = below('/inbound/');

const floods = { limit: addressLimit.requests, seconds: addressLimit.seconds };

export interface GuardedDashboard {
  /** The secret that CloudFront adds to the requests that it forwards. */
  readonly originKey: string;
  readonly userPoolArn: string;
  readonly operatorPoolArn?: string;
}

/** Paths of Cognito's pages that users visit; services use the same host for tokens and keys. */
const loginPages = path(
  '^/(login|signup|confirm|resendcode|forgotpassword|mfa|passkey|oauth2/(authorize|idpresponse))',
  inLowerCase,
);

/** Requests that make Cognito send an email. */
const messages = both(path('^/(signup|resendcode|forgotpassword)/?$', inLowerCase), {
  byteMatchStatement: {
    fieldToMatch: { method: {} },
    positionalConstraint: 'EXACTLY',
    searchString: 'POST',
    textTransformations: asItIs,
  },
});

function rulesFor(dashboard: GuardedDashboard | undefined): readonly Omit<Rule, 'priority'>[] {
  if (!dashboard) return [blocking('Floods', ofSenders({ ...floods, of: not(callbacks) }))];
  const bySite: Statement = {
    byteMatchStatement: {
      // Property names are spelled as in CloudFormation, because the CDK passes this object on unchanged.
      fieldToMatch: { singleHeader: { Name: originHeader } },
      positionalConstraint: 'EXACTLY',
      searchString: dashboard.originKey,
      textTransformations: asItIs,
    },
  };
  const { messages: messageLimit, pages, requests: limit, seconds } = loginLimit;
  const names = Object.values({ ...loginRoutes, ...operatorLoginRoutes }).map(({ path: own }) => own.split('/').at(-1));
  const operations = `(${dashboardPath}|${operatePath})/api/`;
  return [
    // Blocks requests that bypass CloudFront, because only CloudFront states the browser's address reliably.
    blocking('Strangers', both(below(operations), not(bySite))),
    blocking('LogIns', ofViewers({ limit, seconds, of: below(`${operations}(${[...new Set(names)].join('|')})/?$`) })),
    blocking('LogInPages', ofSenders({ limit: pages, seconds, of: loginPages })),
    blocking('Messages', ofSenders({ limit: messageLimit, seconds, of: messages })),
    blocking('SiteFloods', ofViewers({ ...floods, of: bySite })),
    blocking('Floods', ofSenders({ ...floods, of: both(not(callbacks), not(bySite)) })),
  ];
}

export class Firewall extends Construct {
  constructor(scope: Construct, id: string, stageArn: string, dashboard?: GuardedDashboard) {
    super(scope, id);
    const rules = [
      ...rulesFor(dashboard),
      managedRule('AWSManagedRulesAmazonIpReputationList'),
      // The common rule set is not used, because it is meant for web forms.
      managedRule('AWSManagedRulesKnownBadInputsRuleSet', [
        'JavaDeserializationRCE_BODY',
        'Log4JRCE_BODY',
        'ReactJSRCE_BODY',
      ]),
    ];
    const acl = new CfnWebACL(this, 'WebAcl', {
      scope: 'REGIONAL',
      defaultAction: { allow: {} },
      rules: rules.map((rule, priority) => ({ ...rule, priority })),
      visibilityConfig: visibility('Firewall'),
    });
    const protect = (name: string, resourceArn: string) =>
      new CfnWebACLAssociation(this, name, { resourceArn, webAclArn: acl.attrArn });
    protect('Association', stageArn);
    if (dashboard) protect('OfUsers', dashboard.userPoolArn);
    if (dashboard?.operatorPoolArn) protect('OfOperators', dashboard.operatorPoolArn);
  }
}
