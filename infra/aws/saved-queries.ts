/** The searches of logs to which the operators' pages refer, saved in CloudWatch Logs Insights. */
import { CfnQueryDefinition } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { pascalCase } from './pascal-case.ts';
import type { Stage } from './stages.ts';

/** The messages of log lines that docs/alarms.md searches for. */
export const searchedMessages = [
  'audit failed',
  'charge differs from the price',
  'closure failed',
  'drift corrected',
  'engine job attempt failed',
  'figures not recounted',
  'ledger drift',
  'message failed',
  'reader of media files failed',
  'reconciliation failed',
  'request failed',
  'result could not be marked',
  'row left out of a list',
  'step failed',
  'sweep failed',
  'synchronization failed',
  'token expires soon',
  'token expiry not read',
  'token not renewed',
  'unused credits drift',
] as const;

export class SavedQueries extends Construct {
  constructor(scope: Construct, id: string, stage: Stage) {
    super(scope, id);
    for (const message of searchedMessages) {
      new CfnQueryDefinition(this, pascalCase(message.replaceAll(' ', '-')), {
        name: `GenerationService-${stage.name}/${message}`,
        queryString: `fields @timestamp, @log, @message | filter message = "${message}" | sort @timestamp desc | limit 200`,
      });
    }
  }
}
