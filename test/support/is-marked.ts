import { c2paModule } from '../../shared/provenance/c2pa-module.ts';

/** Whether a file is complete and signed: its credentials cover every byte of it. */
export async function isMarked(bytes: Uint8Array, contentType: string): Promise<boolean> {
  const { WasmReader } = await c2paModule();
  // The library throws an error for a file without credentials.
  const reader = await WasmReader.fromBytes(contentType, new Uint8Array(bytes)).catch(() => undefined);
  if (!reader) return false;
  const { validation_state: state } = JSON.parse(reader.json()) as { validation_state: string };
  reader.free();
  return state === 'Valid';
}
