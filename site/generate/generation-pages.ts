/** A page for each generation operation, which shows its inputs and its result side by side. */
import { generateContracts } from '../../shared/contracts/generate.ts';
import type { GenerationContract } from '../../shared/contracts/generation-contract.ts';
import { codeSamples } from '../../shared/contracts/openapi/code-samples.ts';
import { placeholders } from '../../shared/contracts/openapi/published.ts';
import { generateSection } from '../page/navigation.ts';
import type { GeneratedPage } from '../page/site-page.ts';
import { blocks, markdownTable, quoted } from '../reference/markdown-text.ts';
import { requestSamples } from '../reference/operation-page.ts';
import { examples } from './examples.ts';

const picture = ([file, alt]: readonly [file: string, alt: string]): string => `![${alt}](/media/${file})`;

const first = ({ description }: GenerationContract): string => description.split('\n\n', 1)[0] ?? '';

function generationPage(contract: GenerationContract): GeneratedPage {
  const { operationId, path, price, success, summary, taskType } = contract;
  const { body, inputs, result } = examples[operationId as keyof typeof generateContracts];
  const request = { ...contract, example: { ...contract.example, body } };
  const words = Object.entries(body).map(([name, value]) => `${quoted(name)} ${quoted(JSON.stringify(value))}`);
  const shown = inputs.length > 0 ? inputs.map(picture).join(' ') : words[0];
  return {
    path: `generate/${taskType}`,
    title: summary,
    description: `${summary}, with an example of its input and its result. ${price}.`,
    section: generateSection,
    text: blocks(
      `# ${summary}`,
      markdownTable(['Input', 'Result'], [[shown ?? '', picture(result)]]),
      'The result comes from the sandbox engine of a local service. A deployed service uses the models of its operator.',
      first(contract),
      `- **Default price**: ${price}.\n- **Response**: ${success.status} with a task id. [Wait for the task](/polling), or [receive a webhook](/webhooks).\n- **All fields, errors and samples**: [${quoted(`POST ${path}`)}](/reference/${operationId}).`,
    ),
    aside: blocks('## Request sample', requestSamples(codeSamples(request, placeholders.serverUrl))),
  };
}

export const generationPages = (): readonly GeneratedPage[] =>
  (Object.values(generateContracts) as readonly GenerationContract[]).map(generationPage);
