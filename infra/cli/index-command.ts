/** The command that makes rows of earlier versions findable. */
import { makeFindable } from '../../shared/domain/search/make-findable.ts';
import { scanTable } from '../../shared/platform/table-scan.ts';
import { command } from './command.ts';

export const index = command({
  name: 'index',
  summary: 'Make what earlier versions stored findable, once after an upgrade: reads the whole table.',
  async run(_values, { settings, table }) {
    return makeFindable(table, scanTable(settings.tableName, settings.aws('DYNAMODB')));
  },
  print: ({ rowsRead, rowsChanged }) => `${rowsRead} rows were read, and ${rowsChanged} of them made findable.`,
});
