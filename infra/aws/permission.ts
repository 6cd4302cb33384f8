/** What a function may do with a part of the service, and the settings that it needs for it. */
import type { Acknowledgment } from 'aws-cdk-lib';
import type { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { SettingValues } from '../../shared/platform/settings.ts';

export interface Permission {
  readonly statements?: readonly PolicyStatement[];
  /** Reasons for its wildcards, by the ids of cdk-nag's findings. */
  readonly acknowledgements?: readonly Acknowledgment[];
  /** Settings in the function's environment. */
  readonly settings?: Readonly<Partial<Record<keyof SettingValues, string>>>;
  /** Variables of its environment that are no settings of the service. */
  readonly variables?: Readonly<Record<string, string>>;
}
