/** Selects the text writer of this service: that of its preferred engine. */

import type { EngineName } from '../engines/engine-names.ts';
import { bedrockRuntime } from '../platform/model-runtime.ts';
import type { PortSource } from '../platform/port-source.ts';
import { secretsManager } from '../platform/secrets.ts';
import { namesIn } from '../platform/settings.ts';
import { bedrockLanguageModel } from './bedrock/bedrock-language-model.ts';
import { falLanguageModel } from './fal/fal-language-model.ts';
import { promptedWriter } from './prompted-writer.ts';
import { templateWriter } from './template-writer.ts';
import type { TextWriter } from './text-writer.ts';

const writingEngines: readonly string[] = ['bedrock', 'fal', 'offline'] satisfies EngineName[];

export function textWriter(source: PortSource): TextWriter {
  const { settings } = source;
  const preferred = namesIn(settings.engines).find((name) => writingEngines.includes(name));
  switch (preferred) {
    case 'fal': {
      const secrets = secretsManager(source);
      return promptedWriter(falLanguageModel({ runUrl: settings.falRunUrl, key: () => secrets.read(settings.falKey) }));
    }
    case 'bedrock': {
      const access = { ...settings.aws('BEDROCK_RUNTIME'), region: settings.bedrockRegion };
      return promptedWriter(bedrockLanguageModel(bedrockRuntime(access)));
    }
    default:
      return templateWriter;
  }
}
