/** Who runs the command line: the caller according to AWS, or the user of the machine. */
import { userInfo } from 'node:os';
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import type { Operator } from '../../shared/domain/operators/operator.ts';
import { commandFailed } from './exit-error.ts';
import type { Environment } from './service.ts';

/** The last part of an ARN: the user, or the session of a role. */
const nameIn = (arn: string): string => arn.slice(arn.lastIndexOf('/') + 1);

async function awsCaller(): Promise<Operator> {
  const client = new STSClient();
  const { Arn: id } = await client.send(new GetCallerIdentityCommand()).finally(() => client.destroy());
  if (!id) throw commandFailed('AWS does not say who the caller is: nothing was changed.');
  return { id, name: nameIn(id), role: 'admin' };
}

/** The name of the machine's user, who may have no entry in a container. */
function userName({ USER }: Environment): string {
  try {
    return userInfo().username;
  } catch {
    return USER || 'unknown';
  }
}

/** The operator on the command line, whose own access to the stage or the machine is that of an admin. */
export async function callerOf(stage: string | undefined, environment: Environment): Promise<Operator> {
  if (stage !== undefined) return awsCaller();
  const name = environment.OPERATOR || userName(environment);
  return { id: `local:${name}`, name, role: 'admin' };
}
