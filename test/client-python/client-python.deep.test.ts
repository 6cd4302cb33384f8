/** The Python client, built and installed: its types, its README, the scenarios of all clients, and the running service. */
import { globSync, mkdtempSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { installPythonClient, pythonWheel, readmeSamples } from './installed-python-client.ts';

const tests = import.meta.dirname;
const shared = join(tests, '..', 'client');
const configuration = join(process.cwd(), 'client-python', 'pyproject.toml');

const installed = await installPythonClient();
afterAll(() => installed.remove());

const samples = readmeSamples().map((code, index) => {
  const file = `sample_${index}.py`;
  writeFileSync(join(installed.directory, file), code);
  return file;
});

test('the Python package contains its types and depends on httpx alone', async () => {
  const listing = await installed.run('python', ['-m', 'zipfile', '--list', await pythonWheel()]);
  expect(listing).toContain('generation_service/py.typed');
  const requirements = await installed.run('python', [
    '-c',
    'from importlib.metadata import requires; print("\\n".join(requires("generation-service") or []))',
  ]);
  expect(requirements.trim().split('\n')).toEqual([
    'httpx >=0.27,<1',
    "typing-extensions >=4.5; python_version < '3.11'",
    'cryptography >=42 ; extra == "webhooks"',
  ]);
});

test('the Python wheel equals the one that flit builds, and its RECORD describes every file', async () => {
  const flit = mkdtempSync(join(installed.directory, 'flit-'));
  await installed.run('python', [join(tests, 'test_wheel.py'), await pythonWheel(), dirname(configuration), flit]);
});

test('the Python package and the programs of its README pass mypy --strict for Python 3.10', async () => {
  const installedPackage = join(installed.directory, 'site', 'generation_service');
  await installed.run('mypy', [
    '--config-file',
    configuration,
    '--cache-dir',
    '/dev/null',
    installedPackage,
    ...samples,
  ]);
});

test('the Python code is formatted and passes its linter', async () => {
  const folders = [join(process.cwd(), 'client-python'), tests];
  await installed.run('ruff', ['check', '--no-cache', '--config', configuration, ...folders]);
  await installed.run('ruff', ['format', '--no-cache', '--check', '--config', configuration, ...folders]);
});

test('the Python clients behave as specified in every scenario that the clients of all languages share', async () => {
  const files = globSync(['scenarios/*.json', 'simulations.json'], { cwd: shared }).map((file) => join(shared, file));
  const printed = await installed.run('python', [join(tests, 'run_scenarios.py'), ...files]);
  const outcomes = Object.entries(JSON.parse(printed) as Record<string, readonly string[]>);
  expect(outcomes.length).toBeGreaterThan(0);
  expect(outcomes.filter(([, problems]) => problems.length > 0)).toEqual([]);
});

test('the Python clients and their webhook verifier pass the unit tests that are written in Python', async () => {
  await installed.run('python', [join(tests, 'test_client.py')]);
  await installed.run('python', [join(tests, 'test_webhooks.py')], {
    VECTORS: join(shared, 'fixtures', 'vectors.json'),
    SHARED: join(shared, 'webhooks.json'),
  });
});
