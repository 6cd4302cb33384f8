/** Prints what the export of an account contains, for docs/privacy.md. */
import { markdownTable } from '../privacy/print-register.ts';
import { type RowKindName, rowKinds } from '../privacy/register.ts';
import { describedAs, type ExportRule, exportedKinds, exportRules, placeRules } from './export-rules.ts';

const rules = Object.entries<ExportRule>(exportRules).map(([name, rule]) => ({
  what: rowKinds[name as RowKindName].what,
  rule,
}));

/** The documents of the archive, as a table in Markdown. */
export const printedDocuments = (): string =>
  markdownTable(
    ['Document', 'What'],
    exportedKinds.map((kind) => [`\`${exportRules[kind].document}.json\``, describedAs(kind)]),
  );

/** What the archive lacks, as a table in Markdown. */
export const printedLacks = (): string =>
  markdownTable(
    ['What', 'Why it is not exported'],
    [
      ...rules.flatMap(({ what, rule }) => ('document' in rule ? [] : [[what, rule.notExported]])),
      ...Object.entries(placeRules).flatMap(([where, rule]) =>
        typeof rule === 'string' ? [] : [[where, rule.notExported]],
      ),
    ],
  );
