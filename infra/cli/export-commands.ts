/** The commands that make an archive of everything about an account, and link to it. */
import { exportHours } from '../../shared/contracts/limits.ts';
import { acts } from '../../shared/domain/operators/acts.ts';
import { storedObjects } from '../../shared/platform/stored-objects.ts';
import { accountId } from './account-kind.ts';
import { actCommand } from './act-command.ts';
import { type Command, required } from './command.ts';

const options = { account: required(accountId, 'The account.') };

const exportAccount = actCommand(acts.exportAccount, {
  name: 'export',
  summary: `Make an archive of everything about an account, in the background; it can be downloaded for ${exportHours} hours.`,
  options,
  async run({ account }, { connect, perform }) {
    const service = await connect();
    return perform(service, service, { account });
  },
  print: ({ accountId }) =>
    `The archive of account ${accountId} is being made: "account export-link" prints a link to it once it is ready.`,
});

const link = actCommand(acts.linkExport, {
  name: 'export-link',
  summary:
    'Print a link to the archive of an account, which lasts for minutes; anyone who has it can download the archive.',
  options,
  async run({ account }, { connect, perform }) {
    const service = await connect();
    return perform(service, { ...service, storedObjects: storedObjects(service) }, { account });
  },
});

export const exportCommands: readonly Command[] = [exportAccount, link];
