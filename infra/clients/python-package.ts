/** The Python package as a wheel, which is a ZIP archive with metadata, so that it is built without Python. */
import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { strToU8, zipSync } from 'fflate';
import { parse } from 'smol-toml';
import type { Package } from './packages.ts';

const source = join(import.meta.dirname, '../../client-python');

/** What `pyproject.toml` says about the package. */
interface Project {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly license: string;
  readonly 'requires-python': string;
  readonly dependencies: readonly string[];
  readonly classifiers: readonly string[];
  readonly 'optional-dependencies': Readonly<Record<string, readonly string[]>>;
}

/** ZIP stores no time zone: every entry has the same time, the first that the format can hold. */
const mtime = new Date(1980, 0, 1);

const contentOf = (file: string): Uint8Array => new Uint8Array(readFileSync(join(source, file)));

/** The package's metadata with its README (packaging.python.org/specifications/core-metadata). */
function metadata(project: Project): string {
  const extras = Object.entries(project['optional-dependencies']);
  const fields = [
    ['Metadata-Version', '2.4'],
    ['Name', project.name],
    ['Version', project.version],
    ['Summary', project.description],
    ['Requires-Python', project['requires-python']],
    ['Description-Content-Type', 'text/markdown'],
    ['License-Expression', project.license],
    ...project.classifiers.map((classifier) => ['Classifier', classifier]),
    ['License-File', 'LICENSE'],
    ...project.dependencies.map((requirement) => ['Requires-Dist', requirement]),
    ...extras.flatMap(([extra, requirements]) => [
      ...requirements.map((requirement) => ['Requires-Dist', `${requirement} ; extra == "${extra}"`]),
      ['Provides-Extra', extra],
    ]),
  ];
  return `${fields.map(([name, value]) => `${name}: ${value}\n`).join('')}\n${readFileSync(join(source, 'README.md'), 'utf8')}`;
}

const wheelFile = 'Wheel-Version: 1.0\nGenerator: generation-service\nRoot-Is-Purelib: true\nTag: py3-none-any\n';

const sha256 = (content: Uint8Array): string => createHash('sha256').update(content).digest('base64url');

export function pythonPackage(): Package {
  const { project } = parse(readFileSync(join(source, 'pyproject.toml'), 'utf8')) as unknown as { project: Project };
  const { name, version, description } = project;
  const base = `${name.replaceAll('-', '_')}-${version}`;
  const information = `${base}.dist-info`;
  const modules = globSync('generation_service/*.{py,typed}', { cwd: source }).toSorted();
  const files: readonly (readonly [name: string, content: Uint8Array])[] = [
    ...modules.map((file) => [file, contentOf(file)] as const),
    [`${information}/licenses/LICENSE`, contentOf('LICENSE')],
    [`${information}/WHEEL`, strToU8(wheelFile)],
    [`${information}/METADATA`, strToU8(metadata(project))],
  ];
  const record = `${information}/RECORD`;
  const rows = files.map(([file, content]) => `${file},sha256=${sha256(content)},${content.length}\n`);
  const archive = zipSync(Object.fromEntries([...files, [record, strToU8(`${rows.join('')}${record},,\n`)]]), {
    level: 9,
    mtime,
    os: 3,
    attrs: 0o100644 << 16,
  });
  return { name, version, description, file: `${base}-py3-none-any.whl`, content: archive };
}
