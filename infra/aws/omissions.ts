/** What a valid stage of `cdk.json` lacks: settings that a deployment requires, and notices. */
import { choicesOf } from '../../shared/catalog/engines.ts';
import { taskTypes } from '../../shared/contracts/task-types.ts';
import type { Stage } from './stages.ts';

/** Whether a host name is a placeholder that must be replaced by a real one. */
const isPlaceholder = (url: string): boolean => /(^|\.)example\.(com|net|org)$/.test(new URL(url).hostname);

const hasReader = ({ alarmEmail, alarmUrl }: Stage): boolean => alarmEmail !== undefined || alarmUrl !== undefined;

/** Missing settings that prevent a deployment, one sentence each. */
export function omissions(stage: Stage): readonly string[] {
  const { name, isProduction, engines } = stage;
  const url = engines.offline?.url;
  return [
    ...(url !== undefined && isPlaceholder(url)
      ? [`${name}.engines.offline.url: ${url} is a placeholder, and every task would fail.`]
      : []),
    ...(isProduction && !hasReader(stage)
      ? [`${name}.alarmEmail: is required, or alarmUrl: otherwise alarms notify no one.`]
      : []),
  ];
}

/** Limitations of a stage that do not prevent its deployment. */
export function notices(stage: Stage): readonly string[] {
  const { name, dashboard, isProduction, engines, emulatorUrl } = stage;
  const names = Object.keys(engines);
  const choices = choicesOf(names);
  const unmade = taskTypes.filter((type) => choices[type].routes.length === 0);
  const isSilent = !isProduction && !emulatorUrl && !hasReader(stage);
  const unmadeText =
    names.length === 0
      ? 'there are none: only test tokens can generate, and requests of live tokens are rejected with GENERATION_FAILED.'
      : `${names.join(' and ')} cannot make ${unmade.join(', ')}: such requests are rejected with GENERATION_FAILED.`;
  return [
    ...(unmade.length > 0 ? [`${name}.engines: ${unmadeText}`] : []),
    ...(isSilent ? [`${name}.alarmEmail: is not set, so alarms notify no one.`] : []),
    ...(isProduction && dashboard && !dashboard.emailFrom
      ? [`${name}.dashboard.emailFrom: is not set, so Cognito sends at most 50 messages a day.`]
      : []),
  ];
}
