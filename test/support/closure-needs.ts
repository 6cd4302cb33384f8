/** What the erasure of an account needs, on a service that runs in the process of the test. */
import { closureNeedsOf } from '../../infra/cli/closure-commands.ts';
import type { EraseAccountNeeds } from '../../shared/domain/privacy/erase-account.ts';
import { clipEngines } from '../../shared/engines/clip-engines.ts';
import { subscriptionGateway } from '../../shared/gateways/subscription-gateways.ts';
import { webhookQueue } from '../../shared/platform/queue.ts';
import { webhookSecretsOf } from '../../shared/platform/webhook-secrets.ts';
import { stepFunctions } from '../../shared/platform/workflow.ts';
import type { FullContext } from '../../shared/runtime/full-context.ts';

export const closureNeeds = (context: FullContext): EraseAccountNeeds =>
  closureNeedsOf({
    ...context,
    engines: clipEngines(context),
    queue: webhookQueue(context),
    subscriptionGateway: subscriptionGateway(context),
    webhookSecrets: webhookSecretsOf(context),
    workflow: stepFunctions(context),
  });
