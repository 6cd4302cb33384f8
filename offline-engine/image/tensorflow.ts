/** TensorFlow.js on its WebAssembly backend, and the models that it runs. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import type * as converter from '@tensorflow/tfjs-converter';
import type * as core from '@tensorflow/tfjs-core';
import type * as layers from '@tensorflow/tfjs-layers';

interface TensorFlow {
  readonly tf: typeof core;
  readonly loadGraphModel: typeof converter.loadGraphModel;
  readonly loadLayersModel: typeof layers.loadLayersModel;
}

/** TensorFlow.js is imported on first use, because validating an input does not need it. */
const load = async (): Promise<TensorFlow> => {
  const tf = await import('@tensorflow/tfjs-core');
  const { loadGraphModel } = await import('@tensorflow/tfjs-converter');
  const { loadLayersModel } = await import('@tensorflow/tfjs-layers');
  const { setWasmPaths } = await import('@tensorflow/tfjs-backend-wasm');
  const main = createRequire(import.meta.url).resolve('@tensorflow/tfjs-backend-wasm');
  setWasmPaths(`${dirname(dirname(main))}/wasm-out/`);
  await tf.setBackend('wasm');
  await tf.ready();
  return { tf, loadGraphModel, loadLayersModel };
};

let loaded: Promise<TensorFlow> | undefined;

export const tensorflow = (): Promise<TensorFlow> => {
  loaded ??= load();
  return loaded;
};

interface ModelFile extends Required<Pick<core.io.ModelJSON, 'modelTopology' | 'weightsManifest'>> {
  readonly signature?: object;
}

const models = new URL('../models/', import.meta.url);

/** A model in the engine's `models` folder, by the path of its description, next to which its weights are stored. */
export const modelFrom = async (path: string): Promise<core.io.IOHandler> => {
  const { tf } = await tensorflow();
  const address = new URL(path, models);
  const model = JSON.parse(await readFile(address, 'utf8')) as ModelFile;
  const paths = model.weightsManifest.flatMap((group) => group.paths);
  const weights = await Promise.all(paths.map((name) => readFile(new URL(name, address))));
  return tf.io.fromMemory({
    modelTopology: model.modelTopology,
    weightSpecs: model.weightsManifest.flatMap((group) => group.weights),
    weightData: new Uint8Array(Buffer.concat(weights)).buffer,
    ...(model.signature && { signature: model.signature }),
  });
};
