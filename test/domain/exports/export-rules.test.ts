/** The export rules compared with the register of personal data. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { exportedFields, placeInArchive } from '../../../shared/domain/exports/export-documents.ts';
import { exportedKinds, exportRules, placeRules } from '../../../shared/domain/exports/export-rules.ts';
import { printedDocuments, printedLacks } from '../../../shared/domain/exports/print-export.ts';
import type { FieldClass, RowKind } from '../../../shared/domain/privacy/data-kind.ts';
import { places, rowKinds } from '../../../shared/domain/privacy/register.ts';

test('every row kind and every place in the register of personal data is exported, or left out with a reason', () => {
  expect(Object.keys(exportRules).toSorted()).toEqual(Object.keys(rowKinds).toSorted());
  expect(Object.keys(placeRules).toSorted()).toEqual(places.map(({ where }) => where).toSorted());
  const reasons = [...Object.values(exportRules), ...Object.values(placeRules)].flatMap((rule) =>
    typeof rule === 'object' && 'notExported' in rule ? [rule.notExported] : [],
  );
  expect(reasons.filter((reason) => reason.length < 10 || reason.endsWith('.'))).toEqual([]);
});

test.each(exportedKinds)('all personal fields of %s are exported, and no secret', (kind) => {
  const { fields }: RowKind = rowKinds[kind];
  const named = (fieldClass: FieldClass) => Object.keys(fields).filter((name) => fields[name] === fieldClass);
  const exported = exportedFields(kind);
  expect(exported).toEqual(expect.arrayContaining(named('personal')));
  expect(exported.filter((name) => named('secret').includes(name))).toEqual([]);
  const unneeded = exportRules[kind].also.split(' ').filter((name) => !['fact', 'link'].includes(String(fields[name])));
  expect(unneeded, 'fields that the register lacks, or has as personal or secret').toEqual([]);
});

test('an export contains no engine charges and no gateway references', () => {
  const internal = ['enginePrices', 'engineCost', 'engine', 'route', 'chargeId', 'checkoutId', 'gatewayId', 'paidBy'];
  expect(exportedKinds.flatMap(exportedFields).filter((name) => internal.includes(name))).toEqual([]);
});

test('the path of a file in an archive reveals nothing of the secret in the file’s storage key', () => {
  const id = '0193a5c4-7d2e-7b1a-9c3d-2f4e6a8b0c1d';
  expect(placeInArchive(`results/${id}-secret/0-attempt.png`)).toBe(`files/results/${id}/0-attempt.png`);
  expect(placeInArchive(`files/${id}-0f0f.jpg`)).toBe(`files/kept/${id}.jpg`);
  for (const text of [`results/${id}-secret/../../x`, `files/${id}`, 'results/', `/results/${id}-s/a`, 'a prompt']) {
    expect(placeInArchive(text), text).toBeUndefined();
  }
});

test('docs/privacy.md prints what exports contain and what they lack', () => {
  const page = readFileSync('docs/privacy.md', 'utf8');
  expect(page).toContain(printedDocuments());
  expect(page).toContain(printedLacks());
});
