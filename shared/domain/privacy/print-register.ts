/** Prints the register of personal data as the tables of `docs/privacy.md`. */
import type { DataKind, ErasureRule, RowKind } from './data-kind.ts';
import { places, rowKinds } from './register.ts';

const erasures: Readonly<Record<ErasureRule, string>> = {
  erased: 'erased',
  kept: 'kept without personal fields',
  expires: 'expires',
  none: 'not about an account',
};

const common = ({ why, ground, kept, erasure }: DataKind): string[] => [why, ground, kept, erasures[erasure]];

const commonHead = ['Why', 'Ground', 'Kept', 'Erasure'];

export const markdownTable = (head: readonly string[], lines: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

const personalIn = ({ fields }: RowKind): string =>
  Object.entries(fields)
    .filter(([, fieldClass]) => fieldClass === 'personal')
    .map(([name]) => `\`${name}\``)
    .join(', ');

export const printedRows = (): string =>
  markdownTable(
    ['Row', 'What', 'Personal fields', ...commonHead],
    Object.values(rowKinds).map((kind) => [
      `\`${kind.pk}\` \`${kind.sk}\``.replace(' ``', ''),
      kind.what,
      personalIn(kind),
      ...common(kind),
    ]),
  );

export const printedPlaces = (): string =>
  markdownTable(
    ['Place', 'What', ...commonHead],
    places.map((place) => [
      place.where,
      place.what,
      ...common(place).slice(0, -1),
      place.erasure === 'kept' ? 'not erased by the service' : erasures[place.erasure],
    ]),
  );
