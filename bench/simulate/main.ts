/** `npm run simulate`: prints which quota breaks first and what cells have to bear; `-- --write` updates docs/scale.md. */
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { report } from './report.ts';
import { scalePage, withTables } from './scale-page.ts';

const { write } = parseArgs({ options: { write: { type: 'boolean', default: false } } }).values;
const tables = report();
if (write) writeFileSync(scalePage, withTables(readFileSync(scalePage, 'utf8'), tables));
else process.stdout.write(`${tables.join('\n\n')}\n`);
