/** What a function is allowed to do with a part of the service, and what it must know to do it. */
import type { Acknowledgment } from 'aws-cdk-lib';
import type { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { SettingValues } from '../../shared/platform/settings.ts';

export interface Permission {
  readonly statements?: readonly PolicyStatement[];
  /** Why its wildcards are needed, in the words of cdk-nag's findings. */
  readonly acknowledgements?: readonly Acknowledgment[];
  /** Settings that its environment has to give. */
  readonly settings?: Readonly<Partial<Record<keyof SettingValues, string>>>;
}
