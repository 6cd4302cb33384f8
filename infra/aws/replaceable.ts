/** Lets parts of a stack be added, replaced and removed although other stacks refer to them. */
import { CfnResource, ReferenceStrength, type Resource, type Stack } from 'aws-cdk-lib';
import { Alarm } from 'aws-cdk-lib/aws-cloudwatch';
import { Alias, Function as Lambda } from 'aws-cdk-lib/aws-lambda';
import type { IConstruct } from 'constructs';

export const isCode = (part: IConstruct): part is Resource =>
  part instanceof Alarm || part instanceof Alias || part instanceof Lambda;

export const isResource = (part: IConstruct): part is CfnResource => part instanceof CfnResource;

/**
 * Makes other stacks read values from plain outputs. CloudFormation does not remove or change an export while another
 * stack imports it, and stacks are deployed in the order of their references, so a function could otherwise never be
 * removed.
 */
export function makeReplaceable(
  stack: Stack,
  isReplaceable: (part: IConstruct) => part is CfnResource | Resource,
): void {
  for (const part of stack.node.findAll().filter(isReplaceable)) {
    part.applyCrossStackReferenceStrength(ReferenceStrength.WEAK);
  }
}
