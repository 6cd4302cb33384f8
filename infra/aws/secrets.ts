/** Secrets that functions read at run time: no template and no environment contains their values. */
import { RemovalPolicy, Validations } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { type ISecret, Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import { type EngineNameWithKey, engineNamesWithKeys } from '../../shared/engines/engine-names.ts';
import { engineSettings } from '../../shared/engines/engine-settings.ts';
import type { Settings } from '../../shared/platform/settings.ts';
import type { Permission } from './permission.ts';
import type { Stage } from './stages.ts';

const reading = (secrets: readonly string[]): PolicyStatement =>
  new PolicyStatement({ actions: ['secretsmanager:GetSecretValue'], resources: [...secrets] });

/** The key that makes callback URLs unguessable: generated in the stack and read only by functions. */
export class CallbackKey extends Construct {
  readonly #secret: Secret;

  constructor(scope: Construct, id: string, { isProduction }: Stage) {
    super(scope, id);
    this.#secret = new Secret(this, 'Secret', {
      description: 'Makes the callback URLs of engines unguessable',
      generateSecretString: { passwordLength: 64, excludePunctuation: true },
      removalPolicy: isProduction ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    });
    Validations.of(this.#secret).acknowledge({
      id: 'AwsSolutions-SMG4',
      reason: 'It never leaves AWS, and a new one would invalidate the callback URLs of all running engine jobs.',
    });
  }

  allow(): Permission {
    const engineCallbackKey = this.#secret.secretArn;
    return { statements: [reading([engineCallbackKey])], settings: { engineCallbackKey } };
  }
}

/** The engines' API keys: an operator stores each in the secret that the stage names. */
export class EngineKeys extends Construct {
  readonly #engines: readonly { readonly name: EngineNameWithKey; readonly url?: string; readonly secret: ISecret }[];

  constructor(scope: Construct, id: string, { engines }: Stage) {
    super(scope, id);
    const configured = engineNamesWithKeys.flatMap((name) => {
      const engine: { readonly url?: string; readonly secretName: string } | undefined = engines[name];
      return engine ? [{ name, ...engine }] : [];
    });
    this.#engines = configured.map(({ name, secretName, ...where }) => ({
      name,
      ...where,
      secret: Secret.fromSecretNameV2(this, name, secretName),
    }));
  }

  /** An output per engine: the name of the secret with its key. */
  get outputs(): Readonly<Record<string, string>> {
    const capitalized = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);
    const named = this.#engines.map(({ name, secret }) => [`${capitalized(name)}EngineSecret`, secret.secretName]);
    return Object.fromEntries(named);
  }

  /** Each engine's URL, if it has one, and the ARN of its key. */
  get settings(): Readonly<Partial<Record<keyof Settings, string>>> {
    const settings = this.#engines.flatMap(({ name, url, secret }) => {
      const { url: address, key } = engineSettings[name];
      return [...(address && url ? [[address, url]] : []), [key, secret.secretArn]];
    });
    return Object.fromEntries(settings);
  }

  allow(): Permission {
    // Secrets Manager appends six characters to each ARN.
    const arns = this.#engines.map(({ secret }) => `${secret.secretArn}-??????`);
    return { statements: [reading(arns)], settings: this.settings };
  }
}
