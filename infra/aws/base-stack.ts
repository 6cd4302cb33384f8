/** Resources that all other stacks refer to: the API's address, its access log, and the alarm topic. */
import { Stack, type StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { AccessLog } from './access-log.ts';
import { requestAlarms } from './alarm-definitions.ts';
import { AlarmTopic } from './alarm-topic.ts';
import { Alarms } from './alarms.ts';
import { ApiAddress } from './api-address.ts';
import type { Stage } from './stages.ts';

export class BaseStack extends Stack {
  readonly address: ApiAddress;
  readonly accessLog: AccessLog;
  readonly alarmTopic: AlarmTopic;
  readonly alarms: Alarms;

  constructor(scope: Construct, id: string, { stage, ...props }: StackProps & { readonly stage: Stage }) {
    super(scope, id, props);
    this.address = new ApiAddress(this, 'Address', stage);
    this.accessLog = new AccessLog(this, 'AccessLog', stage);
    this.alarmTopic = new AlarmTopic(this, 'AlarmTopic', stage);
    this.alarms = new Alarms(this, 'Alarms', this.alarmTopic, requestAlarms(this.accessLog.serverErrors));
  }
}
