/** TensorFlow.js on its WebAssembly backend, and models that came as files with npm packages. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as tf from '@tensorflow/tfjs';
import { setWasmPaths } from '@tensorflow/tfjs-backend-wasm';

let started: Promise<unknown> | undefined;

const start = async () => {
  const main = createRequire(import.meta.url).resolve('@tensorflow/tfjs-backend-wasm');
  setWasmPaths(`${dirname(dirname(main))}/wasm-out/`);
  await tf.setBackend('wasm');
  await tf.ready();
};

export const startTensorflow = async (): Promise<void> => {
  started ??= start();
  await started;
};

interface ModelFile extends Required<Pick<tf.io.ModelJSON, 'modelTopology' | 'weightsManifest'>> {
  readonly signature?: object;
}

/** A model as a pair of files, its weights beside its description. */
export const modelFrom = async (address: URL): Promise<tf.io.IOHandler> => {
  const model = JSON.parse(await readFile(address, 'utf8')) as ModelFile;
  const paths = model.weightsManifest.flatMap((group) => group.paths);
  const weights = await Promise.all(paths.map((path) => readFile(fileURLToPath(new URL(path, address)))));
  return tf.io.fromMemory({
    modelTopology: model.modelTopology,
    weightSpecs: model.weightsManifest.flatMap((group) => group.weights),
    weightData: new Uint8Array(Buffer.concat(weights)).buffer,
    ...(model.signature && { signature: model.signature }),
  });
};
