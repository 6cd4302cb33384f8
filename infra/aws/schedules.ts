/** The schedules of a stack's functions. */
import { Duration, Validations } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { Construct } from 'constructs';
import { type FunctionName, schedules } from '../hosting.ts';
import type { ServiceFunctions } from './service-functions.ts';

export class Schedules extends Construct {
  constructor(scope: Construct, id: string, functions: ServiceFunctions, names: readonly FunctionName[]) {
    super(scope, id);
    for (const { functionName, everySeconds } of schedules.filter((one) => names.includes(one.functionName))) {
      new Rule(this, functionName, {
        schedule: Schedule.rate(Duration.seconds(everySeconds)),
        targets: [new LambdaFunction(functions.live(functionName))],
      });
    }
    Validations.of(this).acknowledge({
      id: 'Serverless-EventBusDLQ',
      reason: 'The next call makes up for a missed one: it processes everything that is due.',
    });
  }
}
