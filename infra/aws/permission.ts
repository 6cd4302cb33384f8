/** What a function may do with part of the service, and the settings that it needs for that. */
import type { Acknowledgment } from 'aws-cdk-lib';
import type { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { SettingValues } from '../../shared/platform/setting-values.ts';

export interface Permission {
  readonly statements?: readonly PolicyStatement[];
  /** Justifications of wildcards, by the id of cdk-nag's finding. */
  readonly acknowledgements?: readonly Acknowledgment[];
  /** Settings in the function's environment. */
  readonly settings?: Readonly<Partial<Record<keyof SettingValues, string>>>;
  /** Environment variables that are not settings of the service. */
  readonly variables?: Readonly<Record<string, string>>;
}
