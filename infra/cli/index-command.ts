/** The command that adds the attributes for the operators' search to rows that earlier versions have stored. */
import { acts } from '../../shared/domain/operators/acts.ts';
import { makeFindable } from '../../shared/domain/search/make-findable.ts';
import { scanTable } from '../../shared/platform/table-scan.ts';
import { actCommand } from './act-command.ts';

export const index = actCommand(acts.indexTable, {
  name: 'index',
  summary: 'Make what earlier versions stored findable, once after an upgrade: reads the whole table.',
  async run(_values, { connect, perform }) {
    const service = await connect();
    const { settings, table } = service;
    const work = () => makeFindable(table, scanTable(settings.tableName, settings.aws('DYNAMODB')));
    return perform(service, { ...service, work }, {});
  },
  print: ({ rowsRead, rowsChanged }) => `${rowsRead} rows were read, and ${rowsChanged} of them made findable.`,
});
