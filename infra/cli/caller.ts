/** Who runs the command line: the caller according to AWS, or the user of the machine. */
import { userInfo } from 'node:os';
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import type { Operator } from '../../shared/domain/operators/operator.ts';
import { commandFailed } from './exit-error.ts';
import type { Environment } from './service.ts';

/**
 * The operator whose AWS identity has this ARN. All who assume a role count as one operator, because they choose the
 * name of their session freely. In roles of the Identity Center, the session is named after the user, who is then the
 * operator, whichever of the roles is used.
 */
export function operatorOf(arn: string): Operator {
  const [kind = '', ...names] = arn.slice(arn.lastIndexOf(':') + 1).split('/');
  const last = names.at(-1) ?? kind;
  if (kind === 'assumed-role' && names[0]?.startsWith('AWSReservedSSO_')) {
    return { id: `sso:${last.toLowerCase()}`, name: last, role: 'admin' };
  }
  if (kind === 'assumed-role' || kind === 'federated-user') {
    return { id: arn.slice(0, arn.lastIndexOf('/')), name: names.join('/'), role: 'admin' };
  }
  return { id: arn, name: last, role: 'admin' };
}

async function awsCaller(): Promise<Operator> {
  const client = new STSClient();
  const { Arn: arn } = await client.send(new GetCallerIdentityCommand()).finally(() => client.destroy());
  if (!arn) throw commandFailed('AWS does not say who the caller is: nothing was changed.');
  return operatorOf(arn);
}

/** The name of the machine's user; in a container, the user may have none. */
function userName({ USER }: Environment): string {
  try {
    return userInfo().username;
  } catch {
    return USER || 'unknown';
  }
}

/**
 * The operator on the command line. The role is admin, because whoever has access to the stage or the machine can do
 * everything anyway.
 */
export async function callerOf(stage: string | undefined, environment: Environment): Promise<Operator> {
  if (stage !== undefined) return awsCaller();
  const name = environment.OPERATOR || userName(environment);
  return { id: `local:${name}`, name, role: 'admin' };
}
