/**
 * The values that the guides use from the contract, the catalog and the project's files, by the names in the guides'
 * texts.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { clipSource } from '../../shared/contracts/generate-cortes.ts';
import * as limits from '../../shared/contracts/limits.ts';
import {
  engineTypes,
  filmTypes,
  inputLimits,
  type MediaType,
  megabytes,
  recordingTypes,
  typeNames,
} from '../../shared/contracts/media.ts';
import { formBytes, uploadBytes } from '../../shared/contracts/uploads.ts';
import type { ReferenceDocument } from '../reference/openapi-document.ts';
import { samplesOf } from '../reference/operation-page.ts';
import { errorSections, taskErrorTable } from './error-sections.ts';
import { packTable, planTable, priceTable, studioPriceTable } from './price-tables.ts';

const project = join(import.meta.dirname, '../..');

/** The sections of the general description, by their headings without spaces: `RateLimit`. */
const sectionsOf = ({ info }: ReferenceDocument): Readonly<Record<string, string>> =>
  Object.fromEntries(
    info.description.split(/^## /m).map((section) => {
      const [heading = '', ...lines] = section.split('\n');
      return [heading.replaceAll(' ', ''), lines.join('\n').trim()];
    }),
  );

/**
 * The changelog without its introduction. Links to files in `docs/` are removed, because the site does not have these
 * files.
 */
function changelog(): string {
  const text = readFileSync(join(project, 'CHANGELOG.md'), 'utf8');
  return text
    .slice(text.indexOf('\n## '))
    .trim()
    .replaceAll(/\[([^\]]+)\]\(docs\/[^)]+\)/g, '$1');
}

/** The programs of the guides by their file names without the dot: `waitPy`. */
function programs(): Readonly<Record<string, string>> {
  const folder = join(import.meta.dirname, '../programs');
  const files = readdirSync(folder).map((file) => {
    const name = file.replaceAll(/\.(\w)/g, (_, letter: string) => letter.toUpperCase());
    return [name, readFileSync(join(folder, file), 'utf8').trim()] as const;
  });
  return Object.fromEntries(files);
}

/** What the README of each package says after its heading, with this service in its samples. */
function readmes(server = ''): Readonly<Record<string, string>> {
  const folders = { typescript: 'client', python: 'client-python', mcp: 'client-mcp' };
  const texts = Object.entries(folders).map(([name, folder]) => {
    const [, text = ''] = /^# .*\n([\s\S]*)$/.exec(readFileSync(join(project, folder, 'README.md'), 'utf8')) ?? [];
    const own = text.replaceAll('](https://api.example.com/docs/', '](/').replaceAll('https://api.example.com', server);
    return [name, own.trim()] as const;
  });
  return Object.fromEntries(texts);
}

const sizes = {
  image: megabytes(inputLimits.image.maxBytes),
  audio: megabytes(inputLimits.audio.maxBytes),
  video: megabytes(inputLimits.video.maxBytes),
  clipSource: megabytes(clipSource.maxBytes),
  upload: megabytes(uploadBytes.video),
  form: megabytes(formBytes),
};

/** The types that only some fields accept. */
const beyond = (usual: readonly MediaType[], all: readonly MediaType[]): string =>
  typeNames(all.filter((type) => !usual.includes(type)));

const types = {
  image: typeNames(inputLimits.image.types),
  audio: typeNames(inputLimits.audio.types),
  moreAudio: beyond(inputLimits.audio.types, recordingTypes),
  video: typeNames(inputLimits.video.types),
  moreVideo: beyond(inputLimits.video.types, filmTypes),
};

export function guideData(document: ReferenceDocument): Readonly<Record<string, unknown>> {
  const [webhook] = Object.values(document.webhooks);
  return {
    changelog: changelog(),
    engineTypes,
    errorSections: errorSections(),
    inputLimits,
    limits,
    packTable: packTable(),
    planTable: planTable(),
    priceTable: priceTable(),
    programs: programs(),
    readmes: readmes(document.servers[0]?.url),
    sections: sectionsOf(document),
    server: document.servers[0]?.url,
    sizes,
    studioPriceTable: studioPriceTable(),
    taskErrorTable: taskErrorTable(),
    types,
    webhookRules: webhook?.post.description,
    webhookSamples: webhook && samplesOf(webhook.post['x-codeSamples']),
  };
}
