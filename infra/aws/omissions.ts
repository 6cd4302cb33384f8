/** What a stage of `cdk.json` lacks that can be synthesized, whether it is of no use then or merely does less. */
import { choicesOf } from '../../shared/catalog/engines.ts';
import { taskTypes } from '../../shared/contracts/generate.ts';
import type { Stage } from './stages.ts';

/** A name that is nobody's: it stands where a real one has to be filled in. */
const isPlaceholder = (url: string): boolean => /(^|\.)example\.(com|net|org)$/.test(new URL(url).hostname);

/** Without which it is of no use when it is deployed: in sentences, each with the setting that it is about. */
export function omissions({ name, isProduction, engines, alarmEmail }: Stage): readonly string[] {
  const url = engines.offline?.url;
  const lackReader = isProduction && alarmEmail === undefined;
  return [
    ...(url !== undefined && isPlaceholder(url)
      ? [`${name}.engines.offline.url: ${url} is nobody, and every task would fail.`]
      : []),
    ...(lackReader ? [`${name}.alarmEmail: is missing, and nobody would be told when an alarm goes off.`] : []),
  ];
}

/** What none of its engines makes, in a sentence; such a stage is of use all the same. */
export function unmadeTypes({ name, engines }: Stage): readonly string[] {
  const names = Object.keys(engines);
  const choices = choicesOf(names);
  const unmade = taskTypes.filter((type) => choices[type].routes.length === 0);
  if (unmade.length === 0) return [];
  return [
    `${name}.engines: ${names.join(' and ')} can not make ${unmade.join(', ')}: such requests are refused with PROVIDER_UNAVAILABLE.`,
  ];
}
