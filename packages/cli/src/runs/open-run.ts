/** A trained model, rebuilt from its run folder or from a file of parameters alone. */
import { stat } from 'node:fs/promises';
import type { Dataset } from '@flowgrad/data';
import { bestEpochs, createTrainer, rankingOf, resolveRun } from '@flowgrad/evaluation';
import type { RunConfig, RunSettings, Trainer } from '@flowgrad/evaluation';
import { readCheckpoint, readConfig, readEpochs, readSnapshot } from '@flowgrad/evaluation/node';
import { readIfThere, readLimits } from '@flowgrad/files/node';
import { decodeSafetensors, loadParameters } from '@flowgrad/nn';
import { UsageError } from '../usage-error.ts';

export type WantedEpoch = number | 'best' | 'last';

export interface StoredModel {
  readonly config: RunConfig;
  readonly parameters: Uint8Array;
  /** Epochs of training behind the parameters. */
  readonly epoch: number;
}

/** Nothing of it needs a backend. */
export async function readStoredModel(
  where: string,
  path: string,
  wanted?: WantedEpoch,
): Promise<StoredModel> {
  if (!(await stat(path)).isDirectory()) {
    if (wanted === undefined) return readParameters(where, path);
    throw new UsageError(
      `${where}: expected --epoch with a run folder, got a file, ${path}, which is one epoch`,
    );
  }
  const config = await readConfig(path);
  if (!config) {
    throw new UsageError(
      `${where}: expected a run folder or a .safetensors file, got ${path} without config.json`,
    );
  }
  return { config, ...(await parametersOf(where, path, config, wanted ?? 'best')) };
}

/** A file that a trainer saved tells in its metadata which run it belongs to. */
async function readParameters(where: string, path: string): Promise<StoredModel> {
  const parameters = await readIfThere(path, readLimits.safetensors);
  if (!parameters) throw new UsageError(`${where}: expected a file at ${path}, got none`);
  const { metadata } = decodeSafetensors(parameters);
  const run = metadata.get('run');
  if (run === undefined) {
    throw new UsageError(
      `${where}: expected a file of parameters with 'run' in its metadata, got ${path} without`,
    );
  }
  return {
    config: resolveRun(JSON.parse(run) as RunSettings),
    parameters,
    epoch: Number(metadata.get('epoch')),
  };
}

async function parametersOf(
  where: string,
  folder: string,
  config: RunConfig,
  wanted: WantedEpoch,
): Promise<Pick<StoredModel, 'parameters' | 'epoch'>> {
  const epochs = await readEpochs(folder);
  const best = wanted === 'best' ? bestEpochs(epochs, 'mrr', rankingOf(config)).at(0)?.epoch : wanted;
  if (typeof best === 'number') {
    const parameters = await readSnapshot(folder, best);
    if (parameters) return { parameters, epoch: best };
  }
  // A run without a complete epoch has a checkpoint at most; it is the last epoch's too.
  const latest = await readCheckpoint(folder);
  const isLatest = best === undefined || best === 'last' || best === latest?.position.epoch;
  if (latest && isLatest) return { parameters: latest.parameters, epoch: latest.position.epoch };
  throw new UsageError(
    `${where}: expected parameters of epoch ${String(best ?? wanted)} in ${folder}/snapshots, got none ` +
      '(kept are those of the three epochs best for some metric)',
  );
}

/** On the backend of the moment. */
export function openStoredModel({ config, parameters }: StoredModel, dataset?: Dataset): Trainer {
  const trainer = createTrainer(config, dataset ? { dataset } : {});
  loadParameters(trainer.model, parameters);
  return trainer;
}
