/** Lets functions and alarms be added and removed although other stacks refer to them. */
import { ReferenceStrength, type Stack } from 'aws-cdk-lib';
import { Alarm } from 'aws-cdk-lib/aws-cloudwatch';
import { Alias, Function as Lambda } from 'aws-cdk-lib/aws-lambda';

/**
 * CloudFormation does not remove an export while another stack imports it, and stacks are deployed in the order of their
 * references: a function could never be removed. Other stacks therefore read these values from plain outputs.
 */
export function makeReplaceable(stack: Stack): void {
  for (const part of stack.node.findAll()) {
    if (part instanceof Alarm || part instanceof Alias || part instanceof Lambda) {
      part.applyCrossStackReferenceStrength(ReferenceStrength.WEAK);
    }
  }
}
