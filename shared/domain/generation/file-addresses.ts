/** Lists the URLs of the files that a task works on. */
import { generationOf } from '../../contracts/generate.ts';
import { addressesIn, type UserAddress } from '../../contracts/user-addresses.ts';
import type { Task } from '../tasks/task.ts';

export type FileAddress = Exclude<UserAddress, { leadsTo: 'receiver' }>;

export const fieldOf = ({ path: [field] }: FileAddress): string => String(field);

/** The files of a request, followed by those that its inspection added. The callback URL is excluded. */
export function fileAddressesOf({
  taskType,
  input,
  derived,
}: Pick<Task, 'taskType' | 'input' | 'derived'>): readonly FileAddress[] {
  const contract = generationOf(taskType);
  const added = contract.derived ? addressesIn(contract.derived(), derived) : [];
  return [...addressesIn(contract.body, input), ...added].filter((address) => address.leadsTo !== 'receiver');
}
