/** A module's parameters and state as a safetensors file. */
import { rejectUnknownOptions } from '@flowgrad/tensor';
import { heldTensors } from '../module/module.ts';
import type { Module } from '../module/module.ts';
import { decodeSafetensors } from '../safetensors/decode-safetensors.ts';
import { encodeSafetensors } from '../safetensors/encode-safetensors.ts';
import { assignNamed, readNamed } from './named-tensors.ts';

/** What is kept beside the parameters. */
export interface SaveOptions {
  /** Text to keep with the parameters, such as how to build their module again. */
  readonly metadata?: Readonly<Record<string, string>>;
}

/** The parameters and the state of `module`, by dotted name, as they are at the time of the call. */
export async function saveParameters(
  module: Module,
  options: SaveOptions = {},
): Promise<Uint8Array<ArrayBuffer>> {
  rejectUnknownOptions('saveParameters', options, ['metadata']);
  return encodeSafetensors(await readNamed(heldTensors(module)), options.metadata);
}

/**
 * Overwrites the parameters and the state of `module` with those of a file. It has to hold exactly these, in these shapes;
 * if not, a CheckpointError names every one that is missing, unexpected or wrongly shaped, and nothing changes.
 */
export function loadParameters(module: Module, bytes: Uint8Array): void {
  assignNamed('loadParameters', heldTensors(module), decodeSafetensors(bytes).tensors);
}
