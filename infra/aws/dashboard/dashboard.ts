/** The stacks of a stage's dashboard, and the settings that its functions need. */
import type { App, Stack, StackProps } from 'aws-cdk-lib';
import { operatePath } from '../../dashboard-site.ts';
import type { BaseStack } from '../base-stack.ts';
import type { DataStack } from '../data-stack.ts';
import type { GuardedDashboard } from '../firewall.ts';
import type { Permission } from '../permission.ts';
import type { DashboardSettings, Stage } from '../stages.ts';
import { emulatedIdentity, emulatedOperators } from './emulated-identity.ts';
import { HeadersStack } from './headers-stack.ts';
import {
  allowIdentity,
  allowOperatorIdentity,
  type IdentityUse,
  type OperatorAccess,
  type OperatorIdentityUse,
} from './identity-access.ts';
import { IdentityStack } from './identity-stack.ts';
import { OperatorsStack } from './operators-stack.ts';
import { PagesStack } from './pages-stack.ts';
import { SiteStack } from './site-stack.ts';

export interface DashboardProps extends StackProps {
  readonly stage: Stage;
  readonly dashboard: DashboardSettings;
  readonly data: DataStack;
  readonly base: BaseStack;
  /** Builds the id of a part's stack. */
  readonly id: (part: string) => string;
}

export class Dashboard {
  readonly url: string;
  readonly stacks: readonly Stack[];
  readonly #app: App;
  readonly #identity: Pick<IdentityStack, 'access'> & Partial<Pick<IdentityStack, 'userPool'>>;
  readonly #operators: { readonly access: OperatorAccess } & Partial<Pick<OperatorsStack, 'userPool'>>;
  readonly #props: DashboardProps;
  readonly #site: SiteStack;

  constructor(app: App, props: DashboardProps) {
    this.#app = app;
    this.#props = props;
    const { base, data, dashboard, id, stage, ...stackProps } = props;
    // Emulators serve results below a bucket's path, which a content security policy would treat as a single file.
    const { emulatorUrl } = stage;
    const elsewhere =
      emulatorUrl === undefined
        ? { results: data.results.url, uploads: data.inputs.uploadAddresses }
        : { results: emulatorUrl, uploads: [emulatorUrl] };
    const headers = new HeadersStack(app, id('Headers'), { ...stackProps, elsewhere });
    const { address } = base;
    this.#site = new SiteStack(app, id('Site'), { ...stackProps, stage, dashboard, address, headers });
    const { emulated } = dashboard;
    this.url = emulated?.siteUrl ?? this.#site.url;
    if (emulated) {
      this.#identity = { access: emulatedIdentity(stage.name, emulated.identityUrl) };
      this.#operators = { access: emulatedOperators(stage.name, emulated.identityUrl) };
      this.stacks = [headers, this.#site];
      return;
    }
    // The previous address keeps working while a domain is added or removed.
    const siteUrls = [...new Set([this.url, this.#site.ownUrl])];
    const identity = new IdentityStack(app, id('Identity'), { ...stackProps, stage, dashboard, siteUrls });
    this.#identity = identity;
    const operators = new OperatorsStack(app, id('Operators'), { ...stackProps, stage, dashboard, siteUrls });
    this.#operators = operators;
    this.stacks = [headers, this.#site, identity, operators];
  }

  allow(use: IdentityUse): Permission {
    return allowIdentity(this.#identity.access, use);
  }

  allowOperators(use: OperatorIdentityUse): Permission {
    return allowOperatorIdentity(this.#operators.access, use);
  }

  /** Settings of sign-up and of the confirmation of identities. */
  get signUp(): Permission['settings'] {
    const { signUp, signUpCredits } = this.#props.dashboard;
    return { signUp, signUpCredits: String(signUpCredits) };
  }

  get confirmationPrompt(): Permission['settings'] {
    return { confirmationPrompt: this.#props.dashboard.confirmationPrompt };
  }

  /** The dashboard's resources that the stage's firewall protects in addition to the API. */
  get guarded(): GuardedDashboard | undefined {
    const { originKey } = this.#site;
    return (
      originKey && {
        originKey: originKey.secretValue.unsafeUnwrap(),
        userPoolArn: this.#identity.access.userPoolArn,
        ...(this.#operators.userPool && { operatorPoolArn: this.#operators.userPool.userPoolArn }),
      }
    );
  }

  /** Outputs of the stack that operators need. */
  get outputs(): Readonly<Record<string, string>> {
    const { domain, emulated } = this.#props.dashboard;
    const { access, userPool } = this.#identity;
    return {
      DashboardUrl: this.url,
      ...((domain ?? emulated) && { DashboardDomainTarget: this.#site.distribution.distributionDomainName }),
      LoginUrl: access.url,
      IdentityIssuer: access.issuer,
      ...(userPool && { UserPoolId: userPool.userPoolId }),
      OperateUrl: `${this.url}${operatePath}/`,
      ...(this.#operators.userPool && { OperatorPoolId: this.#operators.userPool.userPoolId }),
    };
  }

  /** Publishes the pages once all other stacks are deployed. */
  publish(directory: string, others: readonly Stack[]): Stack {
    const { base: _base, data: _data, dashboard: _dashboard, id, stage, ...stackProps } = this.#props;
    const pages = new PagesStack(this.#app, id('Pages'), { ...stackProps, stage, site: this.#site, directory });
    for (const stack of others) pages.addStackDependency(stack);
    return pages;
  }
}
