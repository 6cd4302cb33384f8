/** The CDK app of an account's delivery stack, which an administrator deploys once: docs/deploy.md has the command. */
import { Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { serviceApp } from '../app.ts';
import { deliveryOptions } from './delivery-options.ts';
import { DeliveryStack } from './delivery-stack.ts';

try {
  const app = serviceApp();
  const options = deliveryOptions((name) => app.node.tryGetContext(name));
  new DeliveryStack(app, 'GenerationService-Delivery', { options, terminationProtection: true });
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  app.synth();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
