import { expect, test } from 'vitest';
import { unusedStylesRemoved } from '../../dashboard/without-unused-styles.ts';

test('styles of library classes that the code does not contain are removed, and all others remain', () => {
  const styles = [
    '.m_1{color:red}',
    '.m_2{color:red}',
    '.m_1 .m_2,.m_1 b{top:0}',
    '@media print{.m_2{top:0}}',
    '.own,body,[data-a]{top:0}',
    '@media screen{.m_1{top:0}}',
  ].join('');
  expect(unusedStylesRemoved(styles, 'root:"m_1"')).toBe(
    '.m_1{color:red}.m_1 b{top:0}.own,body,[data-a]{top:0}@media screen{.m_1{top:0}}',
  );
});
